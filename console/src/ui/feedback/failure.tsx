import { ExclamationTriangleIcon } from '@heroicons/react/24/outline';
import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { common } from '../../strings/common.ts';
import { Copy } from '../text/copy.tsx';
import { describeError, type ErrorDescription } from './describe-error.ts';

interface Props {
  error: unknown;
  onRetry?: (() => void) | undefined;
  description?: ErrorDescription;
}

/** Shows an error instead of the content: its cause, what to do, and the request id to quote when asking for help. */
export function Failure({ error, onRetry, description = describeError(error) }: Props) {
  const { title, advice, details, requestId } = description;
  return (
    <Alert color="red" title={title} icon={<ExclamationTriangleIcon aria-hidden />} role="alert">
      <Stack gap="sm" align="flex-start">
        {advice && <Text size="sm">{advice}</Text>}
        {details.length > 0 && (
          <List size="sm">
            {details.map((detail) => (
              <List.Item key={detail}>{detail}</List.Item>
            ))}
          </List>
        )}
        {requestId && (
          <Group gap="xs">
            <Text size="xs">{common.requestId}</Text>
            <Code>{requestId}</Code>
            <Copy value={requestId} />
          </Group>
        )}
        {onRetry && (
          <Button variant="default" onClick={onRetry}>
            {common.tryAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
