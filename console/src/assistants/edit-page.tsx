import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { assistants as text } from '../strings/assistants.ts';
import { Answer } from '../ui/answer.tsx';
import { Back } from '../ui/back.tsx';
import { Page } from '../ui/page.tsx';
import { EditAssistant } from './edit-assistant.tsx';
import { assistantQuery, isGone } from './queries.ts';

const route = getRouteApi('/assistants/$assistantId');

/** One assistant, to read and to edit. */
export function EditPage() {
  const { assistantId } = route.useParams();
  const query = useQuery(assistantQuery(assistantId));
  if (query.data) return <EditAssistant key={assistantId} latest={query.data} isGone={isGone(query.error)} />;
  return (
    <Page title={text.one} description={<Back to="/assistants">{text.title}</Back>}>
      <Answer query={query}>{() => null}</Answer>
    </Page>
  );
}
