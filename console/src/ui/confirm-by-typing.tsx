import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { unlessGone } from '../api/problem.ts';
import { useOnce } from '../api/use-once.ts';
import { common } from '../strings/common.ts';
import { Dialog, useHold } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { notifyDone } from './notify.ts';
import { inOrder, visible } from './visible.ts';

interface Props {
  title: string;
  /** What will be gone, and what stays. */
  children: ReactNode;
  /** What has to be typed, such as the name of what will be gone. Neither what cannot be seen of it counts, nor how much space. */
  expected: string;
  /** The button's words: what it does. */
  action: string;
  opened: boolean;
  onClose: () => void;
  /** Does it. */
  act: () => Promise<unknown>;
  /** What to say when it is done. */
  done: string;
  /** Leaves the page of what is gone, where that is the page. */
  onDone?: (() => Promise<void>) | undefined;
  /** Has what is gone leave the cache. */
  forget: (cache: QueryClient) => Promise<void>;
  onError?: (error: Error) => Promise<void>;
}

/** Asks for what cannot be undone, and does it: the button comes to life when the name has been typed. */
export const ConfirmByTyping = ({ opened, title, ...question }: Props) => (
  <Dialog opened={opened} onClose={question.onClose} title={inOrder(title)}>
    <Question {...question} />
  </Dialog>
);

/** As a page shows it: HTML makes one space of many. */
const asShown = (name: string) => visible(name).replace(/\s+/g, ' ');

/** In a component of its own, so that what was typed, and why it failed, is gone when the dialog closes. */
function Question({
  children,
  expected,
  action,
  onClose,
  act,
  done,
  onDone,
  forget,
  onError,
}: Omit<Props, 'opened' | 'title'>) {
  const cache = useQueryClient();
  const { mutate, isPending, error } = useOnce({
    mutationFn: () => act().catch(unlessGone),
    onSuccess: async () => {
      onClose();
      await onDone?.();
      notifyDone(done);
      await forget(cache);
    },
    onError,
  });
  useHold(isPending);
  const id = useId();
  const [typed, setTyped] = useState('');
  const wanted = asShown(expected) || common.nameless;
  const isMeant = asShown(typed) === wanted;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isMeant) mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <TextInput
          id={id}
          label={common.typeToConfirm(wanted)}
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
          <Button type="submit" color="red" disabled={!isMeant} loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
