import { Fieldset, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { maxTextLengths } from '../../../../../shared/schemas/assistant.ts';
import { assistants as text } from '../../../strings/assistants.ts';
import { lazyComponent } from '../../../ui/loading/lazy.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { countCharacters } from '../../draft/check-draft.ts';
import type { EditedTool } from '../edited-tool.tsx';
import type { EditedDraft } from '../use-draft.ts';
import { FirstMessage } from './first-message.tsx';
import { MissingKey } from './missing-key.tsx';
import { PartSettings } from './part-settings.tsx';
import { SipSettings } from './sip-settings.tsx';

// Lazy, because it is far below the fold.
const CallSections = lazyComponent(() => import('./tools/call-sections.tsx'), 'CallSections');

interface Props {
  draft: EditedDraft;
  /** Attached documents, which are not part of the draft. */
  documents: ReactNode;
  /** Opens the dialog of a tool. */
  onEditTool: (edited: EditedTool) => void;
  isLocked: boolean;
}

/** All fields of an assistant. Disabled while the JSON has a mistake. */
export function AssistantForm({ draft, documents, onEditTool, isLocked }: Props) {
  const { form, json } = draft;
  return (
    <Fieldset variant="unstyled" m={0} disabled={isLocked || json.faults.length > 0}>
      <Stack gap="md">
        <Section title={text.basics}>
          <TextInput
            label={text.field.name}
            required
            autoComplete="off"
            // A draft without a name is new: editing starts here.
            data-autofocus={form.values.name === '' || undefined}
            {...form.getInputProps('name')}
          />
          <TextInput
            label={text.field.description}
            placeholder={text.hint.description}
            autoComplete="off"
            {...form.getInputProps('description')}
            onChange={(event) => form.setFieldValue('description', event.currentTarget.value || null)}
          />
        </Section>
        <Section title={text.prompt}>
          <Textarea
            label={text.field.system_instruction}
            description={text.hint.system_instruction}
            placeholder={text.systemPlaceholder}
            required
            autosize
            minRows={8}
            maxRows={24}
            {...form.getInputProps('system_instruction')}
          />
          <Text size="xs" c="dimmed" ta="end">
            {text.length(countCharacters(form.values.system_instruction), maxTextLengths.system_instruction)}
          </Text>
          <FirstMessage draft={draft} />
        </Section>
        <Section title={text.field.voice} hint={text.hint.voice}>
          <PartSettings draft={draft} part="voice" />
          <MissingKey draft={form.values} part="voice" />
        </Section>
        <Section title={text.field.llm} hint={text.hint.llm}>
          <PartSettings draft={draft} part="llm" />
          <MissingKey draft={form.values} part="llm" />
        </Section>
        <Section title={text.field.transcriber} hint={text.hint.transcriber}>
          <PartSettings draft={draft} part="transcriber" />
          <MissingKey draft={form.values} part="transcriber" />
        </Section>
        <Section title={text.knowledge} hint={text.hint.knowledge}>
          {documents}
          <Title order={3} size="sm" mt="xs">
            {text.ownStore}
          </Title>
          <PartSettings draft={draft} part="knowledge_base" />
        </Section>
        <CallSections draft={draft} onEditTool={onEditTool} />
        <Section title={text.field.transport} hint={text.hint.transport}>
          <SipSettings draft={draft} />
          <PartSettings draft={draft} part="transport" />
        </Section>
      </Stack>
    </Fieldset>
  );
}
