import { Button, Code, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { assistants as text } from '../strings/assistants.ts';
import { common } from '../strings/common.ts';
import { Back } from '../ui/back.tsx';
import { Copy } from '../ui/copy.tsx';
import { later } from '../ui/later.tsx';
import { LinkAnchor, LinkButton } from '../ui/link.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { DeleteAssistant } from './delete-assistant.tsx';
import { draftOf } from './draft.ts';
import { Editor } from './editor.tsx';
import { EditorActions } from './editor-actions.tsx';
import { Gone } from './gone.tsx';
import { LosingDialog } from './losing-dialog.tsx';
import { isGone, type ReadAssistant } from './queries.ts';
import { SaveFailure } from './save-failure.tsx';
import { useCreating } from './use-creating.ts';
import { useSaving } from './use-saving.ts';

// Rarely needed, so it comes when it is.
const ConflictDialog = later(() => import('./conflict-dialog.tsx'), 'ConflictDialog');

// Far down on the page, so it comes after the first load.
const AssistantKnowledge = later(
  () => import('../knowledge/assistant-knowledge.tsx'),
  'AssistantKnowledge',
  <Loading rows={2} />,
);

interface Props {
  /** How the service has it, as far as is known. */
  latest: ReadAssistant;
  /** It is there no more. */
  isGone: boolean;
}

/** The page of an assistant that is there, or was a moment ago. */
export function EditAssistant({ latest, isGone: wasDeleted }: Props) {
  const navigate = useNavigate();
  const [isDeleting, deleting] = useDisclosure();
  const [isDiscarding, discarding] = useDisclosure();
  const { draft, base, save, discard, isSaving, error, conflict } = useSaving(latest);
  const { id, name, updated_at, attached_knowledge_bases } = base.assistant;
  const creation = useCreating({ knowledge: attached_knowledge_bases.map((one) => one.id), done: text.created });
  const isDeleted = wasDeleted || isGone(error);
  return (
    <Page
      title={name}
      isSticky
      description={
        <Group gap="xs" component="span">
          <Back to="/assistants">{text.title}</Back>
          <Group gap={4} visibleFrom="sm" component="span">
            <Code>{id}</Code>
            <Copy value={id} label={common.copyId} />
          </Group>
          <span>
            {text.edited} <Time at={updated_at} />
          </span>
          <LinkAnchor to="/calls" search={{ assistant: id }} size="sm">
            {text.itsCalls}
          </LinkAnchor>
        </Group>
      }
      actions={
        <EditorActions draft={draft} onSave={save} isSaving={isSaving} save={text.save}>
          {draft.isDirty ? (
            <Button variant="default" onClick={discarding.open}>
              {text.discard}
            </Button>
          ) : (
            <>
              <Button variant="subtle" color="red" onClick={deleting.open}>
                {text.delete}
              </Button>
              <LinkButton variant="default" to="/assistants/new" search={{ from: id }}>
                {text.duplicate}
              </LinkButton>
            </>
          )}
        </EditorActions>
      }
    >
      <Editor draft={draft} documents={<AssistantKnowledge assistantId={id} />} onSave={save}>
        {isDeleted ? (
          <Gone
            onCreate={() => creation.mutate(draft.form.getValues())}
            isCreating={creation.isPending}
            isBroken={draft.isBroken}
          />
        ) : (
          <SaveFailure error={error} onRetry={save} />
        )}
        <SaveFailure error={creation.error} onRetry={() => creation.mutate(draft.form.getValues())} />
      </Editor>
      {conflict && (
        <ConflictDialog
          base={draftOf(base.assistant)}
          mine={draft.form.values}
          theirs={draftOf(conflict.theirs.assistant)}
          onClose={conflict.leave}
          onSave={conflict.settle}
        />
      )}
      <LosingDialog
        title={text.discardTitle}
        action={text.discardIt}
        opened={isDiscarding}
        onAct={() => {
          discard();
          discarding.close();
        }}
        onStay={discarding.close}
      />
      <DeleteAssistant
        id={id}
        name={name}
        opened={isDeleting}
        onClose={deleting.close}
        onDeleted={() => navigate({ to: '/assistants', ignoreBlocker: true })}
      />
    </Page>
  );
}
