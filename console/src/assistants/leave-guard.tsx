import { useBlocker } from '@tanstack/react-router';
import { assistants as text } from '../strings/assistants.ts';
import { LosingDialog } from './losing-dialog.tsx';

/** Asks before changes are lost: to another page of the console here, away from it by the browser's own question. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <LosingDialog
      title={text.leaveTitle}
      action={text.leave}
      opened={status === 'blocked'}
      onAct={() => proceed?.()}
      onStay={() => reset?.()}
    />
  );
}
