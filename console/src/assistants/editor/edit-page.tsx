import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { assistants as text } from '../../strings/assistants.ts';
import { QueryView } from '../../ui/loading/query-view.tsx';
import { BackLink } from '../../ui/page/back-link.tsx';
import { Page } from '../../ui/page/page.tsx';
import { assistantQuery, isAssistantDeleted } from '../queries.ts';
import { EditAssistant } from './edit-assistant.tsx';

const route = getRouteApi('/assistants/$assistantId');

interface Props {
  /** Renders the section on the documents that are attached to an assistant. */
  renderDocuments: (assistantId: string) => ReactNode;
}

/** Page of one assistant. */
export function EditPage({ renderDocuments }: Props) {
  const { assistantId } = route.useParams();
  const query = useQuery(assistantQuery(assistantId));
  if (query.data)
    return (
      <EditAssistant
        key={assistantId}
        latest={query.data}
        wasDeleted={isAssistantDeleted(query.error)}
        documents={renderDocuments(assistantId)}
      />
    );
  return (
    <Page title={text.one} description={<BackLink to="/assistants">{text.title}</BackLink>}>
      <QueryView query={query}>{() => null}</QueryView>
    </Page>
  );
}
