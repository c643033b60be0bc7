import { ArrowPathIcon, XMarkIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Button, Group, Paper, Progress, Text } from '@mantine/core';
import { ApiError } from '../../../../clients/typescript/src/api-error.ts';
import { knowledge as text } from '../../strings/knowledge.ts';
import { describeError } from '../../ui/feedback/describe-error.ts';
import { formatFileSize } from '../../ui/text/file-size.ts';
import classes from './upload.module.css';
import type { Upload } from './upload-queue.ts';
import { uploads, useUploads } from './uploads.ts';

/** Pending and failed uploads, of one assistant or of all. */
export function UploadList({ assistantId }: { assistantId?: string }) {
  const list = useUploads(assistantId);
  const failed = list.filter(({ state }) => state === 'failed');
  if (list.length === 0) return null;
  return (
    <Paper component="section" aria-label={text.uploads}>
      <ul className={classes.uploads}>
        {list.map((upload) => (
          <Row key={upload.id} upload={upload} />
        ))}
      </ul>
      {failed.length > 1 && (
        <Button
          variant="subtle"
          size="xs"
          leftSection={<ArrowPathIcon width={14} aria-hidden />}
          onClick={() => {
            for (const { id } of failed) uploads.retry(id);
          }}
        >
          {text.uploadAllAgain(failed.length)}
        </Button>
      )}
    </Paper>
  );
}

function Row({ upload: { id, file, state, progress, error } }: { upload: Upload }) {
  const percent = Math.floor(progress * 100);
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" fw={500} truncate>
          {file.name}
        </Text>
        <Group gap={4} wrap="nowrap">
          {state === 'failed' && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={text.retryUpload(file.name)}
              onClick={() => uploads.retry(id)}
            >
              <ArrowPathIcon width={16} aria-hidden />
            </ActionIcon>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={text.cancelUpload(file.name)}
            onClick={() => uploads.cancel(id)}
          >
            <XMarkIcon width={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      {state === 'failed' ? (
        <FailureReason error={error} />
      ) : (
        <>
          <Progress value={progress * 100} size="sm" aria-label={text.sending(file.name)} animated={percent === 100} />
          <Text size="xs" c="dimmed" mt={4}>
            {state === 'waiting'
              ? text.waiting
              : percent === 100
                ? text.finishing
                : text.sent(percent, formatFileSize(file.size))}
          </Text>
        </>
      )}
    </li>
  );
}

const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

/** The API's message about a file says more than the general title, except for an expired session. */
function FailureReason({ error }: { error: unknown }) {
  const { title, advice, details } = describeError(error);
  return (
    <Text size="xs" c="var(--mantine-color-error)" role="alert">
      {details.length > 0 && !isSignedOut(error) ? details.join(' ') : `${title}. ${advice}`}
    </Text>
  );
}
