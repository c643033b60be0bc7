import { Button, Group, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { assistants as text } from '../strings/assistants.ts';
import { Dialog } from '../ui/dialog.tsx';

/** Asks before changes are lost: to another page of the console here, away from it by the browser's own question. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <Dialog opened={status === 'blocked'} onClose={() => reset?.()} title={text.leaveTitle}>
      <Text size="sm" mb="md">
        {text.leaveText}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={proceed}>
          {text.leave}
        </Button>
        <Button data-autofocus onClick={reset}>
          {text.stay}
        </Button>
      </Group>
    </Dialog>
  );
}
