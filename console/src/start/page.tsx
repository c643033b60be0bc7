import { CheckCircleIcon } from '@heroicons/react/24/solid';
import { Button, Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { LastCalls } from '../overview/last-calls.tsx';
import { start as text } from '../strings/start.ts';
import { Answer } from '../ui/answer.tsx';
import { LinkButton } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { Checklist } from './checklist.tsx';
import { type Progress, progressOf, steps } from './progress.ts';
import { useFacts } from './queries.ts';

/** Where a user begins: what there is to do, ticked off by what the API says; once there are calls, the last of them. */
export function StartPage() {
  const facts = useFacts();
  const hasCalls = facts.data !== undefined && facts.data.lastCalls.length > 0;
  return (
    <Page title={text.title} description={hasCalls ? undefined : text.description}>
      <Answer query={facts}>
        {(known) => {
          const progress = progressOf(known, new Date());
          if (!hasCalls) return <Checklist progress={progress} />;
          return (
            <Stack>
              <Steps progress={progress} />
              <LastCalls sessions={known.lastCalls} />
            </Stack>
          );
        }}
      </Answer>
    </Page>
  );
}

/** Says whether all steps are done or which is next. Shows them when somebody wants to see them. */
function Steps({ progress }: { progress: Progress }) {
  const [isShown, shownSteps] = useDisclosure();
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
            <Button variant="default" onClick={shownSteps.toggle} aria-expanded={isShown}>
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
