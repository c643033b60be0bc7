import { Input, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { assistants as text } from '../../strings/assistants.ts';
import { emptyDraft } from '../draft.ts';
import type { DraftForm } from '../use-draft-form.ts';

/** Who speaks first, and what the assistant says where it does. Null is the caller. */
export function FirstMessage({ form }: { form: DraftForm }) {
  const { first_message } = form.values;
  const begins = first_message === null ? 'caller' : 'assistant';
  return (
    <Stack gap="xs">
      <Input.Label id="who-begins">{text.whoBegins}</Input.Label>
      <SegmentedControl
        aria-labelledby="who-begins"
        w="fit-content"
        value={begins}
        onChange={(who) => form.setFieldValue('first_message', who === 'caller' ? null : emptyDraft.first_message)}
        data={[
          { value: 'assistant', label: text.assistantBegins },
          { value: 'caller', label: text.callerBegins },
        ]}
      />
      {first_message !== null && (
        <Textarea
          aria-label={text.field.first_message}
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('first_message')}
        />
      )}
    </Stack>
  );
}
