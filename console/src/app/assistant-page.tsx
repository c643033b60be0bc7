import { EditPage } from '../assistants/editor/edit-page.tsx';
import { assistants as text } from '../strings/assistants.ts';
import { lazyComponent } from '../ui/loading/lazy.tsx';
import { Loading } from '../ui/loading/loading.tsx';
import { LinkAnchor } from '../ui/page/link.tsx';
import { Section } from '../ui/page/section.tsx';

// Lazy, because it is far down the page.
const AssistantKnowledge = lazyComponent(
  () => import('../knowledge/assistant-knowledge.tsx'),
  'AssistantKnowledge',
  <Loading rows={2} />,
);

/** Page of one assistant, with its documents and its history: the editor does not know them. */
export function AssistantPage() {
  return (
    <EditPage
      renderDocuments={(assistantId) => (
        <>
          <AssistantKnowledge assistantId={assistantId} />
          <Section title={text.history} hint={text.historyHint}>
            <LinkAnchor to="/activity" search={{ subject: assistantId }} size="sm">
              {text.toHistory}
            </LinkAnchor>
          </Section>
        </>
      )}
    />
  );
}
