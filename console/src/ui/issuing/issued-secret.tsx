import { CheckIcon, ClipboardIcon } from '@heroicons/react/24/outline';
import { Alert, Button, Checkbox, Code, CopyButton, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { common } from '../../strings/common.ts';

/** Something that was issued with a secret, which is null if the response was lost. */
export interface Issued {
  secret: string | null;
}

/** Texts about a new secret. */
export interface SecretTexts {
  /** Name of the secret, for screen readers. */
  title: string;
  issued: string;
  issuedHelp: string;
  copy: string;
  stored: string;
  done: string;
  /** Says that the response was lost, and what to do. */
  lost: string;
}

interface Props {
  issued: Issued;
  text: SecretTexts;
  onDone: () => void;
}

/** Shows a new secret, once. Blocks closing and navigation until the user confirms that they saved it. */
export function IssuedSecret({ issued: { secret }, text, onDone }: Props) {
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
              {copied ? common.copied : text.copy}
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
