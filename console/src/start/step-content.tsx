import { Badge, Group, Stack, Text } from '@mantine/core';
import { Can } from '../api/identity.ts';
import { start as text } from '../strings/start.ts';
import { lazyComponent } from '../ui/loading/lazy.tsx';
import { Loading } from '../ui/loading/loading.tsx';
import { LinkAnchor, LinkButton } from '../ui/page/link.tsx';
import { CodeView } from '../ui/text/code-view.tsx';
import type { Progress, Step } from './progress.ts';
import { buildCurl, type SnippetValues } from './snippets.ts';

/** Lazy, because the workers' source files are larger than the page. */
const WorkerCode = lazyComponent(() => import('./worker-code.tsx'), 'default', <Loading rows={2} />);

interface Props {
  step: Step;
  progress: Progress;
  values: SnippetValues;
}

/** Explains how to do a step, in the console or from a program. */
export function StepContent({ step, progress, values }: Props) {
  const { assistant } = progress;
  return (
    <Stack gap="sm" align="stretch">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text.step[step].text} {(step === 'document' || step === 'call') && assistant && text.about(assistant.name)}
      </Text>
      {step === 'credentials' && <NeededKeys progress={progress} />}
      <div>
        <Can do={step === 'key' ? 'all' : step === 'call' ? 'read' : 'write'}>
          <Action step={step} progress={progress} />
        </Can>
      </div>
      {step === 'call' ? (
        <WorkerCode values={values} />
      ) : (
        <>
          <CodeView name={text.curl} code={buildCurl(step, values)} />
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
      {needed.map(({ service, isSaved }) => (
        <Badge key={service} variant="dot" color={isSaved ? 'green' : 'yellow'}>
          {`${service}: ${isSaved ? text.hasKey : text.lacksKey}`}
        </Badge>
      ))}
    </Group>
  );
