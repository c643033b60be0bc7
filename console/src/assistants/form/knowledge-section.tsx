import { Text, Title } from '@mantine/core';
import { assistants as text } from '../../strings/assistants.ts';
import { later } from '../../ui/later.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Section } from '../../ui/section.tsx';
import type { EditedDraft } from '../use-draft.ts';
import { PartSettings } from './part-settings.tsx';

// Far down on the page, so it comes after the first load.
const AssistantKnowledge = later(
  () => import('../../knowledge/assistant-knowledge.tsx'),
  'AssistantKnowledge',
  <Loading rows={2} />,
);

interface Props {
  draft: EditedDraft;
  /** Undefined where the assistant is not there yet. */
  assistantId: string | undefined;
}

/** What the assistant may look up: attached documents, which is no part of the draft, and a vector store of one's own. */
export function KnowledgeSection({ draft, assistantId }: Props) {
  return (
    <Section title={text.knowledge} hint={text.hint.knowledge}>
      {assistantId === undefined ? (
        <Text size="sm" c="dimmed">
          {text.attachedLater}
        </Text>
      ) : (
        <AssistantKnowledge assistantId={assistantId} />
      )}
      <Title order={3} size="sm" mt="xs">
        {text.ownStore}
      </Title>
      <PartSettings draft={draft} part="knowledge_base" />
    </Section>
  );
}
