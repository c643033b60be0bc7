import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { ignoreNotFound } from '../../api/api-error.ts';
import { useExclusiveMutation } from '../../api/use-exclusive-mutation.ts';
import { common } from '../../strings/common.ts';
import { Failure } from '../feedback/failure.tsx';
import { notifyDone } from '../feedback/notify.ts';
import { stripBidiControls, stripInvisible } from '../text/visible-text.ts';
import { Dialog, usePreventClose } from './dialog.tsx';

interface Props {
  title: string;
  /** Explains what will be deleted, and what stays. */
  children: ReactNode;
  /** Text to type, such as the name of the item to delete. Invisible characters and repeated spaces do not count. */
  expected: string;
  /** Label of the confirm button. */
  action: string;
  opened: boolean;
  onClose: () => void;
  /** Runs the action. */
  run: () => Promise<unknown>;
  /** Notification after success. */
  doneMessage: string;
  /** Leaves the page of the deleted item, if that page is open. */
  onDone?: (() => Promise<void>) | undefined;
  /** Removes the deleted item from the cache. */
  removeFromCache: (cache: QueryClient) => Promise<void>;
  onError?: (error: Error) => Promise<void>;
}

/**
 * Dialog that confirms an irreversible action, then runs it. The button is disabled until the user has typed the
 * expected text.
 */
export const ConfirmByTyping = ({ opened, title, ...question }: Props) => (
  <Dialog opened={opened} onClose={question.onClose} title={stripBidiControls(title)}>
    <ConfirmForm {...question} />
  </Dialog>
);

/** Returns a name as a page shows it: HTML collapses spaces. */
const normalizeName = (name: string) => stripInvisible(name).replace(/\s+/g, ' ');

/** A separate component, so that the typed text and the error reset when the dialog closes. */
function ConfirmForm({
  children,
  expected,
  action,
  onClose,
  run,
  doneMessage,
  onDone,
  removeFromCache,
  onError,
}: Omit<Props, 'opened' | 'title'>) {
  const cache = useQueryClient();
  const { mutate, isPending, error } = useExclusiveMutation({
    mutationFn: () => run().catch(ignoreNotFound),
    onSuccess: async () => {
      onClose();
      await onDone?.();
      notifyDone(doneMessage);
      await removeFromCache(cache);
    },
    onError,
  });
  usePreventClose(isPending);
  const id = useId();
  const [typed, setTyped] = useState('');
  const expectedName = normalizeName(expected) || common.nameless;
  const isConfirmed = normalizeName(typed) === expectedName;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed) mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <TextInput
          id={id}
          label={common.typeToConfirm(expectedName)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          data-autofocus
        />
        {error ? <Failure error={error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {common.cancel}
          </Button>
          <Button type="submit" color="red" disabled={!isConfirmed} loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
