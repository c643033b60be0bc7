import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { assistants as text } from '../strings/assistants.ts';
import { Answer } from '../ui/answer.tsx';
import { Back } from '../ui/back.tsx';
import { showFaults } from '../ui/form-failure.tsx';
import { Page } from '../ui/page.tsx';
import { type Draft, draftOf, emptyDraft } from './draft.ts';
import { Editor } from './editor.tsx';
import { EditorActions } from './editor-actions.tsx';
import { originalQuery } from './queries.ts';
import { SaveFailure, shownFields } from './save-failure.tsx';
import { useCreating } from './use-creating.ts';
import { useDraft } from './use-draft.ts';

const route = getRouteApi('/assistants/new');

const back = <Back to="/assistants">{text.title}</Back>;

/** A new assistant: from nothing, or as the copy of another. */
export function NewPage() {
  const { from } = route.useSearch();
  return from === undefined ? <NewAssistant first={emptyDraft} knowledge={[]} /> : <Copy id={from} />;
}

function Copy({ id }: { id: string }) {
  const query = useQuery(originalQuery(id));
  if (!query.data) {
    return (
      <Page title={text.create} description={back}>
        <Answer query={query}>{() => null}</Answer>
      </Page>
    );
  }
  const { assistant } = query.data;
  const first = { ...draftOf(assistant), name: text.copyOf(assistant.name) };
  return <NewAssistant first={first} knowledge={assistant.attached_knowledge_bases.map((base) => base.id)} />;
}

interface Props {
  first: Draft;
  /** The ids of the knowledge bases to attach to it. */
  knowledge: string[];
}

function NewAssistant({ first, knowledge }: Props) {
  const isCopy = first !== emptyDraft;
  const draft = useDraft(first);
  const creation = useCreating({ knowledge, done: isCopy ? text.duplicated : text.created });
  // Not before the form takes input again: what is disabled takes no focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `draft` is new each time it is drawn
  useEffect(() => showFaults(draft.form, creation.error, shownFields(draft.form.values)), [creation.error]);
  const save = () => {
    if (!draft.isBroken && !creation.isPending) creation.mutate(draft.form.getValues());
  };
  const documents = (
    <Text size="sm" c="dimmed">
      {knowledge.length > 0 ? text.attachedWithIt(knowledge.length) : text.attachedLater}
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
