import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { Log } from '../api/types.ts';
import { calls as text } from '../strings/calls.ts';
import { common } from '../strings/common.ts';
import { plainText } from './transcript/plain-text.ts';
import { turnsOf } from './transcript/turns.ts';

/** Puts a transcript into the clipboard as plain text, once all of it has been read. */
export function CopyText({ logs, isComplete }: { logs: readonly Log[]; isComplete: boolean }) {
  const { copied, copy } = useClipboard();
  return (
    <Button variant="default" disabled={!isComplete} onClick={() => copy(plainText(turnsOf(logs)))}>
      {copied ? common.copied : text.copyText}
    </Button>
  );
}
