import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { common } from '../strings/common.ts';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';

interface Props {
  title: string;
  /** What will be gone, and what stays. */
  children: ReactNode;
  /** What has to be typed, such as the name of what will be gone. White space at its ends does not count. */
  expected: string;
  /** The button's words: what it does. */
  action: string;
  opened: boolean;
  onClose: () => void;
  onConfirm: () => void;
  isPending: boolean;
  error: unknown;
}

/** Asks for what cannot be undone: the button comes to life when the name has been typed. */
export function ConfirmByTyping({ opened, onClose, title, ...rest }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <Question {...rest} onClose={onClose} />
    </Dialog>
  );
}

/** In a component of its own, so that what was typed is gone when the dialog closes. */
function Question({
  children,
  expected,
  action,
  onClose,
  onConfirm,
  isPending,
  error,
}: Omit<Props, 'opened' | 'title'>) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const isMeant = typed.trim() === expected.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isMeant) onConfirm();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <TextInput
          id={id}
          label={common.typeToConfirm(expected)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        {error ? <Failure error={error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
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
