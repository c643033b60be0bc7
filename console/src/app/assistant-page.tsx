import { EditPage } from '../assistants/editor/edit-page.tsx';
import { lazyComponent } from '../ui/loading/lazy.tsx';
import { Loading } from '../ui/loading/loading.tsx';

// Lazy, because it is far down the page.
const AssistantKnowledge = lazyComponent(
  () => import('../knowledge/assistant-knowledge.tsx'),
  'AssistantKnowledge',
  <Loading rows={2} />,
);

/** Page of one assistant, with its documents: the editor and the documents do not know each other. */
export function AssistantPage() {
  return <EditPage renderDocuments={(assistantId) => <AssistantKnowledge assistantId={assistantId} />} />;
}
