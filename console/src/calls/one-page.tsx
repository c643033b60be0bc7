import { Badge, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { Can } from '../api/identity.ts';
import { calls as text } from '../strings/calls.ts';
import { Failure } from '../ui/feedback/failure.tsx';
import { QueryView } from '../ui/loading/query-view.tsx';
import { BackLink } from '../ui/page/back-link.tsx';
import { Page } from '../ui/page/page.tsx';
import { Copy } from '../ui/text/copy.tsx';
import { formatDateTime } from '../ui/text/dates.ts';
import { AboutCall } from './about-call.tsx';
import classes from './calls.module.css';
import { CopyText } from './copy-text.tsx';
import { getCallTime } from './days.ts';
import { DeleteCall } from './delete-call.tsx';
import { downloadJson } from './download.ts';
import { Transcript } from './transcript/transcript.tsx';
import { useWholeCall, type WholeCall } from './whole-call.ts';

const route = getRouteApi('/calls/$sessionId');

const back = <BackLink to="/calls">{text.title}</BackLink>;

/** Page of one call: its transcript and its details. */
export function OnePage() {
  const { sessionId } = route.useParams();
  const { query, call } = useWholeCall(sessionId);
  if (call) return <CallPage key={sessionId} call={call} query={query} />;
  return (
    <Page title={text.one} description={back}>
      <QueryView query={query}>{() => null}</QueryView>
    </Page>
  );
}

function CallPage({ call, query }: { call: WholeCall; query: ReturnType<typeof useWholeCall>['query'] }) {
  const navigate = route.useNavigate();
  const [isDeleting, deleting] = useDisclosure();
  const { session, logs, isComplete } = call;
  const { session_id, channel, participant_name, room_name } = session;
  return (
    <Page
      title={participant_name ?? room_name}
      description={
        <Group gap="xs">
          {back}
          <span>{formatDateTime(getCallTime(session))}</span>
          {channel === 'text' && <Badge>{text.channels.text}</Badge>}
          <Copy value={location.origin + location.pathname} label={text.copyLink} />
        </Group>
      }
    >
      {query.isError && <Failure error={query.error} onRetry={() => void query.fetchNextPage()} />}
      <div className={classes.columns}>
        <AboutCall
          session={session}
          actions={
            <>
              <CopyText logs={logs} isComplete={isComplete} />
              <Button
                variant="default"
                loading={!isComplete && !query.isError}
                disabled={!isComplete}
                onClick={() => downloadJson(`call-${session_id}.json`, { session, logs })}
              >
                {text.download}
              </Button>
              <Can do="write">
                <Button variant="subtle" color="red" onClick={deleting.open}>
                  {text.delete}
                </Button>
              </Can>
            </>
          }
        />
        <Transcript call={call} />
      </div>
      <DeleteCall
        session={session}
        opened={isDeleting}
        onClose={deleting.close}
        onDeleted={() => navigate({ to: '/calls' })}
      />
    </Page>
  );
}
