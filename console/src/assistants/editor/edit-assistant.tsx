import { Button, Code, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Can, usePermissions } from '../../api/identity.ts';
import { assistants as text } from '../../strings/assistants.ts';
import { common } from '../../strings/common.ts';
import { live } from '../../strings/live.ts';
import { lazyComponent } from '../../ui/loading/lazy.tsx';
import { BackLink } from '../../ui/page/back-link.tsx';
import { LinkAnchor, LinkButton } from '../../ui/page/link.tsx';
import { Page } from '../../ui/page/page.tsx';
import { Copy } from '../../ui/text/copy.tsx';
import { Time } from '../../ui/text/time.tsx';
import { DeleteAssistant } from '../delete-assistant.tsx';
import { toDraft } from '../draft/draft.ts';
import { type AssistantWithEtag, isAssistantDeleted } from '../queries.ts';
import { canPublish } from '../versions/can-publish.ts';
import { LiveBadge } from '../versions/live-badge.tsx';
import { DeletedNotice } from './deleted-notice.tsx';
import { DiscardDialog } from './discard-dialog.tsx';
import { Editor } from './editor.tsx';
import { EditorActions } from './editor-actions.tsx';
import { SaveFailure } from './save-failure.tsx';
import { useCreateAssistant } from './use-create-assistant.ts';
import { useSaveAssistant } from './use-save-assistant.ts';

// Lazy, because none is needed at first.
const ConflictDialog = lazyComponent(() => import('../conflict/conflict-dialog.tsx'), 'ConflictDialog');
const PublishDialog = lazyComponent(() => import('../versions/publish-dialog.tsx'), 'PublishDialog');
const TrialPanes = lazyComponent(() => import('../try/trial-panes.tsx'), 'TrialPanes');

interface Props {
  /** Latest known state in the API. */
  latest: AssistantWithEtag;
  /** True if it was deleted. */
  wasDeleted: boolean;
  /** Section on its attached documents. */
  documents: ReactNode;
}

/** Page of an assistant that exists, or was deleted while open. */
export function EditAssistant({ latest, wasDeleted, documents }: Props) {
  const navigate = useNavigate();
  const isAllowed = usePermissions();
  const [isDeleting, deleting] = useDisclosure();
  const [isDiscarding, discarding] = useDisclosure();
  const [isPublishing, publishing] = useDisclosure();
  const { draft, base, save, discard, isSaving, error, conflict } = useSaveAssistant(latest);
  const { id, name, updated_at, attached_knowledge_bases } = base.assistant;
  const creation = useCreateAssistant({
    knowledgeBaseIds: attached_knowledge_bases.map((one) => one.id),
    doneMessage: text.created,
  });
  const isDeleted = wasDeleted || isAssistantDeleted(error);
  return (
    <Page
      title={name}
      isSticky
      description={
        <Group gap="xs" component="span">
          <BackLink to="/assistants">{text.title}</BackLink>
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
          <LinkAnchor to="/assistants/$assistantId/versions" params={{ assistantId: id }} size="sm">
            {live.history}
          </LinkAnchor>
          <LiveBadge assistant={latest.assistant} />
        </Group>
      }
      actions={
        <Can do="write">
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
            <Button
              variant="default"
              onClick={publishing.open}
              disabled={isDeleted || draft.isBroken || !(draft.isDirty || canPublish(latest.assistant))}
            >
              {live.publish}
            </Button>
          </EditorActions>
        </Can>
      }
    >
      <Editor
        draft={draft}
        documents={documents}
        assistantId={id}
        onSave={save}
        isLocked={!isAllowed('write')}
        trial={
          isAllowed('chat')
            ? (pane) => (
                <TrialPanes pane={pane} assistant={base.assistant} draft={draft} onSave={save} isSaving={isSaving} />
              )
            : undefined
        }
      >
        {isDeleted ? (
          <DeletedNotice
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
          base={toDraft(base.assistant)}
          mine={draft.form.values}
          theirs={toDraft(conflict.theirs.assistant)}
          onClose={conflict.cancel}
          onSave={conflict.saveMerged}
        />
      )}
      {/* A conflict takes its place until it is settled. */}
      {isPublishing && !conflict && (
        <PublishDialog
          base={base}
          unsaved={
            draft.isDirty ? { save, isSaving, failure: <SaveFailure error={error} onRetry={save} /> } : undefined
          }
          onClose={publishing.close}
        />
      )}
      <DiscardDialog
        title={text.discardTitle}
        action={text.discardIt}
        opened={isDiscarding}
        onDiscard={() => {
          discard();
          discarding.close();
        }}
        onCancel={discarding.close}
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
