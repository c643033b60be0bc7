import { ExclamationTriangleIcon } from '@heroicons/react/24/outline';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { ApiError } from '../../../../clients/typescript/src/api-error.ts';
import { versions as text } from '../../strings/versions.ts';
import { Failure } from '../../ui/feedback/failure.tsx';

interface Props {
  error: Error | null;
  /** Reads again what has changed meanwhile. */
  onReload: () => void;
}

/** Shows why a write failed. If somebody else was faster, offers to load what they changed. */
export function WriteFailure({ error, onReload }: Props) {
  if (!error) return null;
  if (!(error instanceof ApiError && error.status === 412)) return <Failure error={error} />;
  return (
    <Alert color="red" title={text.changed} icon={<ExclamationTriangleIcon aria-hidden />} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{text.changedText}</Text>
        <Button variant="default" onClick={onReload}>
          {text.reload}
        </Button>
      </Stack>
    </Alert>
  );
}
