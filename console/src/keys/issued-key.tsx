import { CheckIcon, ClipboardIcon } from '@heroicons/react/24/outline';
import { Alert, Button, Checkbox, Code, CopyButton, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import type { IssuedApiKey } from '../api/types.ts';
import { common } from '../strings/common.ts';
import { keys as text } from '../strings/keys.ts';

/** Shows a new key, once. Blocks closing and navigation until the user confirms that they saved it. */
export function IssuedKey({ issued: { secret }, onDone }: { issued: IssuedApiKey; onDone: () => void }) {
  const [isStored, setStored] = useState(secret === null);
  useBlocker({ shouldBlockFn: () => !isStored, enableBeforeUnload: !isStored });
  const done = (
    <Group justify="flex-end">
      <Button onClick={onDone} disabled={!isStored}>
        {text.done}
      </Button>
    </Group>
  );
  if (secret === null) {
    return (
      <Stack>
        <Alert color="yellow" role="alert">
          {text.lost}
        </Alert>
        {done}
      </Stack>
    );
  }
  return (
    <Stack>
      <Alert color="yellow" role="alert">
        <Text size="sm" fw={600}>
          {text.issued}
        </Text>
        <Text size="sm">{text.issuedHelp}</Text>
      </Alert>
      <Code block aria-label={text.title} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {secret}
      </Code>
      <CopyButton value={secret}>
        {({ copied, copy }) => (
          <>
            <Button
              variant="light"
              onClick={copy}
              leftSection={copied ? <CheckIcon width={16} aria-hidden /> : <ClipboardIcon width={16} aria-hidden />}
              data-autofocus
            >
              {copied ? common.copied : text.copyKey}
            </Button>
            <VisuallyHidden role="status">{copied && common.copied}</VisuallyHidden>
          </>
        )}
      </CopyButton>
      <Checkbox
        label={<Text size="sm">{text.stored}</Text>}
        checked={isStored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      {done}
    </Stack>
  );
}
