import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { assistants as text } from '../../strings/assistants.ts';
import { showFaults } from '../../ui/feedback/form-failure.tsx';
import { QueryView } from '../../ui/loading/query-view.tsx';
import { BackLink } from '../../ui/page/back-link.tsx';
import { Page } from '../../ui/page/page.tsx';
import { type Draft, emptyDraft, toDraft } from '../draft/draft.ts';
import { originalQuery } from '../queries.ts';
import { Editor } from './editor.tsx';
import { EditorActions } from './editor-actions.tsx';
import { listShownFields, SaveFailure } from './save-failure.tsx';
import { useCreateAssistant } from './use-create-assistant.ts';
import { useDraft } from './use-draft.ts';

const route = getRouteApi('/assistants/new');

const back = <BackLink to="/assistants">{text.title}</BackLink>;

/** Page for a new assistant: blank, or a copy of another. */
export function NewPage() {
  const { from } = route.useSearch();
  return from === undefined ? <NewAssistant first={emptyDraft} knowledgeBaseIds={[]} /> : <CopyAssistant id={from} />;
}

function CopyAssistant({ id }: { id: string }) {
  const query = useQuery(originalQuery(id));
  if (!query.data) {
    return (
      <Page title={text.create} description={back}>
        <QueryView query={query}>{() => null}</QueryView>
      </Page>
    );
  }
  const { assistant } = query.data;
  const first = { ...toDraft(assistant), name: text.copyName(assistant.name) };
  return <NewAssistant first={first} knowledgeBaseIds={assistant.attached_knowledge_bases.map((base) => base.id)} />;
}

interface Props {
  first: Draft;
  /** Ids of the knowledge bases to attach. */
  knowledgeBaseIds: string[];
}

function NewAssistant({ first, knowledgeBaseIds }: Props) {
  const isCopy = first !== emptyDraft;
  const draft = useDraft(first);
  const creation = useCreateAssistant({ knowledgeBaseIds, doneMessage: isCopy ? text.duplicated : text.created });
  // Runs after the form is enabled again: a disabled field cannot take the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `draft` changes with every render
  useEffect(() => showFaults(draft.form, creation.error, listShownFields(draft.form.values)), [creation.error]);
  const save = () => {
    if (!draft.isBroken && !creation.isPending) creation.mutate(draft.form.getValues());
  };
  const documents = (
    <Text size="sm" c="dimmed">
      {knowledgeBaseIds.length > 0 ? text.attachedWithIt(knowledgeBaseIds.length) : text.attachedLater}
    </Text>
  );
  return (
    <Page
      title={isCopy ? first.name : text.create}
      isSticky
      description={back}
      actions={<EditorActions draft={draft} onSave={save} isSaving={creation.isPending} save={text.createIt} isNew />}
    >
      <Editor draft={draft} documents={documents} onSave={save} isLocked={creation.isPending}>
        <SaveFailure error={creation.error} onRetry={save} />
      </Editor>
    </Page>
  );
}
