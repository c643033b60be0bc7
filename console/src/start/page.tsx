import { CheckCircleIcon } from '@heroicons/react/24/solid';
import { Button, Group, Paper, Text, ThemeIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { start as text } from '../strings/start.ts';
import { Answer } from '../ui/answer.tsx';
import { LinkButton } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { Checklist } from './checklist.tsx';
import { type Progress, progressOf, steps } from './progress.ts';
import { useFacts } from './queries.ts';

/** Where a new user begins: what there is to do, ticked off by what the API says. */
export function StartPage() {
  const facts = useFacts();
  return (
    <Page title={text.title} description={text.description}>
      <Answer query={facts}>{(known) => <Steps progress={progressOf(known, new Date())} />}</Answer>
    </Page>
  );
}

/** The steps; once all is done, only that it is, until somebody wants to see them. */
function Steps({ progress }: { progress: Progress }) {
  const [isShown, shownSteps] = useDisclosure();
  if (!steps.every((step) => progress.done[step])) return <Checklist progress={progress} />;
  return (
    <>
      <Paper p="lg" mb="lg">
        <Group justify="space-between">
          <Group wrap="nowrap">
            <ThemeIcon variant="light" color="green" size="xl" radius="xl" aria-hidden>
              <CheckCircleIcon width={24} />
            </ThemeIcon>
            <div>
              <Text fw={500}>{text.allDone}</Text>
              <Text size="sm" c="dimmed">
                {text.allDoneText}
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
      {isShown && <Checklist progress={progress} />}
    </>
  );
}
