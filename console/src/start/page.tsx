import { CheckCircleIcon } from '@heroicons/react/24/solid';
import { Button, Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { LastCalls } from '../overview/last-calls.tsx';
import { start as text } from '../strings/start.ts';
import { QueryView } from '../ui/loading/query-view.tsx';
import { LinkButton } from '../ui/page/link.tsx';
import { Page } from '../ui/page/page.tsx';
import { Checklist } from './checklist.tsx';
import { getProgress, type Progress, steps } from './progress.ts';
import { useUserData } from './queries.ts';

/** Start page: the steps to a first call, ticked off by what the API returns, and the last calls, if any. */
export function StartPage() {
  const userData = useUserData();
  const hasCalls = userData.data !== undefined && userData.data.lastCalls.length > 0;
  return (
    <Page title={text.title} description={hasCalls ? undefined : text.description}>
      <QueryView query={userData}>
        {(data) => {
          const progress = getProgress(data, new Date());
          if (!hasCalls) return <Checklist progress={progress} />;
          return (
            <Stack>
              <Steps progress={progress} />
              <LastCalls sessions={data.lastCalls} />
            </Stack>
          );
        }}
      </QueryView>
    </Page>
  );
}

/** Says that all steps are done, or which is next. The list is collapsed. */
function Steps({ progress }: { progress: Progress }) {
  const [isShown, stepsDisclosure] = useDisclosure();
  const next = steps.find((step) => !progress.done[step]);
  return (
    <>
      <Paper p="lg">
        <Group justify="space-between">
          <Group wrap="nowrap">
            <ThemeIcon variant="light" color="green" size="xl" radius="xl" aria-hidden>
              <CheckCircleIcon width={24} />
            </ThemeIcon>
            <div>
              <Text fw={500}>{next ? text.takesCalls : text.allDone}</Text>
              <Text size="sm" c="dimmed">
                {next ? text.next(text.step[next].title) : text.allDoneText}
              </Text>
            </div>
          </Group>
          <Group gap="xs">
            <Button variant="default" onClick={stepsDisclosure.toggle} aria-expanded={isShown}>
              {isShown ? text.hideSteps : text.showSteps}
            </Button>
            <LinkButton to="/overview">{text.toOverview}</LinkButton>
          </Group>
        </Group>
      </Paper>
      {isShown && (
        <div>
          <Checklist progress={progress} />
        </div>
      )}
    </>
  );
}
