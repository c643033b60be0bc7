import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { Log } from '../api/types.ts';
import { calls as text } from '../strings/calls.ts';
import { common } from '../strings/common.ts';
import { toPlainText } from './transcript/plain-text.ts';
import { buildTurns } from './transcript/turns.ts';

/** Button that copies a transcript as plain text. Disabled until all of it has loaded. */
export function CopyText({ logs, isComplete }: { logs: readonly Log[]; isComplete: boolean }) {
  const { copied, copy } = useClipboard();
  return (
    <Button variant="default" disabled={!isComplete} onClick={() => copy(toPlainText(buildTurns(logs)))}>
      {copied ? common.copied : text.copyText}
    </Button>
  );
}
