import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useExclusiveMutation } from '../../api/use-exclusive-mutation.ts';
import { common } from '../../strings/common.ts';
import { Dialog, usePreventClose } from '../../ui/dialog/dialog.tsx';
import { notifyDone } from '../../ui/feedback/notify.ts';
import { WriteFailure } from './write-failure.tsx';

interface Props<T> {
  title: string;
  /** Explains what will happen. */
  children: ReactNode;
  /** Label of the confirm button. */
  action: string;
  onClose: () => void;
  /** Runs the action. */
  run: () => Promise<T>;
  /** Notification after success. */
  doneMessage: string;
  onDone: (result: T) => Promise<void>;
  /** Reads again what has changed meanwhile. */
  onReload: () => Promise<unknown>;
}

/** Dialog that confirms an action that can be taken back, then runs it. */
export const ConfirmDialog = <T,>({ title, ...question }: Props<T>) => (
  <Dialog opened onClose={question.onClose} title={title}>
    <ConfirmForm {...question} />
  </Dialog>
);

function ConfirmForm<T>(props: Omit<Props<T>, 'title'>) {
  const { children, action, onClose, run, doneMessage, onDone, onReload } = props;
  const { mutate, isPending, error, reset } = useExclusiveMutation({
    mutationFn: run,
    onSuccess: async (result) => {
      onClose();
      notifyDone(doneMessage);
      await onDone(result);
    },
  });
  const reloading = useExclusiveMutation({ mutationFn: onReload, onSuccess: reset });
  usePreventClose(isPending);
  return (
    <Stack>
      <Text size="sm" component="div">
        {children}
      </Text>
      <WriteFailure error={error ?? reloading.error} onReload={() => reloading.mutate()} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={isPending}>
          {common.cancel}
        </Button>
        <Button onClick={() => mutate()} loading={isPending} data-autofocus>
          {action}
        </Button>
      </Group>
    </Stack>
  );
}
