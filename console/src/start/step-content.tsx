import { Badge, Group, Stack, Text } from '@mantine/core';
import { start as text } from '../strings/start.ts';
import { CodeView } from '../ui/code-view.tsx';
import { later } from '../ui/later.tsx';
import { LinkAnchor, LinkButton } from '../ui/link.tsx';
import { Loading } from '../ui/loading.tsx';
import type { Progress, Step } from './progress.ts';
import { curlOf, type Filling } from './snippets.ts';

/** The workers' files are larger than the page: they are loaded where they are looked at. */
const WorkerCode = later(() => import('./worker-code.tsx'), 'default', <Loading rows={2} />);

interface Props {
  step: Step;
  progress: Progress;
  filling: Filling;
}

/** How a step is done: here, or by a program. */
export function StepContent({ step, progress, filling }: Props) {
  const { assistant } = progress;
  return (
    <Stack gap="sm" align="stretch">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text.step[step].text} {(step === 'document' || step === 'call') && assistant && text.about(assistant.name)}
      </Text>
      {step === 'credentials' && <NeededKeys progress={progress} />}
      <div>
        <Action step={step} progress={progress} />
      </div>
      {step === 'call' ? (
        <WorkerCode filling={filling} />
      ) : (
        <>
          <CodeView name={text.curl} code={curlOf(step, filling)} />
          <Text size="xs" c="dimmed">
            {step === 'key' ? (
              text.onlyTokenNote
            ) : (
              <>
                {text.tokenNote}{' '}
                <LinkAnchor to="/keys" inherit underline="always">
                  {text.toKeys}
                </LinkAnchor>
              </>
            )}
          </Text>
        </>
      )}
    </Stack>
  );
}

function Action({ step, progress: { assistant } }: Pick<Props, 'step' | 'progress'>) {
  const { action } = text.step[step];
  switch (step) {
    case 'assistant':
      return <LinkButton to="/assistants/new">{action}</LinkButton>;
    case 'credentials':
      return <LinkButton to="/credentials">{action}</LinkButton>;
    case 'document':
      return assistant ? (
        <LinkButton to="/assistants/$assistantId" params={{ assistantId: assistant.id }}>
          {action}
        </LinkButton>
      ) : (
        <Text size="sm" c="dimmed">
          {text.first}
        </Text>
      );
    case 'key':
      return <LinkButton to="/keys">{action}</LinkButton>;
    case 'call':
      return (
        <LinkButton to="/calls" variant="default">
          {action}
        </LinkButton>
      );
  }
}

const NeededKeys = ({ progress: { assistant, needed } }: Pick<Props, 'progress'>) =>
  assistant && (
    <Group gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text.needs(assistant.name)}
      </Text>
      {needed.map(({ service, isThere }) => (
        <Badge key={service} variant="dot" color={isThere ? 'green' : 'yellow'}>
          {`${service}: ${isThere ? text.hasKey : text.lacksKey}`}
        </Badge>
      ))}
    </Group>
  );
