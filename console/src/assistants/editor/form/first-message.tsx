import { Input, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { assistants as text } from '../../../strings/assistants.ts';
import type { EditedDraft } from '../use-draft.ts';

/** Sets who speaks first, and the assistant's first message. Null means that the caller speaks first. */
export function FirstMessage({ draft: { form, greeting } }: { draft: EditedDraft }) {
  const { first_message } = form.values;
  const firstSpeaker = first_message === null ? 'caller' : 'assistant';
  function changeSpeaker(who: string): void {
    if (first_message !== null) greeting.current = first_message; // restored if the user switches back
    form.setFieldValue('first_message', who === 'caller' ? null : greeting.current);
  }
  return (
    <Stack gap="xs">
      <Input.Label id="who-begins">{text.whoBegins}</Input.Label>
      <SegmentedControl
        aria-labelledby="who-begins"
        w="fit-content"
        value={firstSpeaker}
        onChange={changeSpeaker}
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
