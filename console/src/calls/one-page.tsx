import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { calls as text } from '../strings/calls.ts';
import { Answer } from '../ui/answer.tsx';
import { Back } from '../ui/back.tsx';
import { Copy } from '../ui/copy.tsx';
import { formatMoment } from '../ui/dates.ts';
import { Failure } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';
import { AboutCall } from './about-call.tsx';
import classes from './calls.module.css';
import { CopyText } from './copy-text.tsx';
import { getCallTime } from './days.ts';
import { DeleteCall } from './delete-call.tsx';
import { downloadJson } from './download.ts';
import { Transcript } from './transcript/transcript.tsx';
import { useWholeCall, type WholeCall } from './whole-call.ts';

const route = getRouteApi('/calls/$sessionId');

const back = <Back to="/calls">{text.title}</Back>;

/** One call: what was said, and what is known besides. */
export function OnePage() {
  const { sessionId } = route.useParams();
  const { query, call } = useWholeCall(sessionId);
  if (call) return <One key={sessionId} call={call} query={query} />;
  return (
    <Page title={text.one} description={back}>
      <Answer query={query}>{() => null}</Answer>
    </Page>
  );
}

function One({ call, query }: { call: WholeCall; query: ReturnType<typeof useWholeCall>['query'] }) {
  const navigate = route.useNavigate();
  const [isDeleting, deleting] = useDisclosure();
  const { session, logs, isComplete } = call;
  const { session_id, participant_name, room_name } = session;
  return (
    <Page
      title={participant_name ?? room_name}
      description={
        <Group gap="xs">
          {back}
          <span>{formatMoment(getCallTime(session))}</span>
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
              <Button variant="subtle" color="red" onClick={deleting.open}>
                {text.delete}
              </Button>
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
