import { useBlocker } from '@tanstack/react-router';
import { assistants as text } from '../../strings/assistants.ts';
import { DiscardDialog } from './discard-dialog.tsx';

/**
 * Asks before changes are lost: with a dialog on navigation inside the console, with the browser's prompt on leaving
 * it.
 */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <DiscardDialog
      title={text.leaveTitle}
      action={text.leave}
      opened={status === 'blocked'}
      onDiscard={() => proceed?.()}
      onCancel={() => reset?.()}
    />
  );
}
