import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { session as text } from '../strings/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { isAsking } from './session.ts';
import { useSession, useSessionState } from './session-context.ts';

/** What oidc-client-ts says of a window that the browser did not open. */
const isBlocked = ({ message }: Error) => message.includes('disposed window');

/** Asks to sign in again when the session is over, above a page that stays as it is; afterwards, in a line at its top. */
export function SessionEnded() {
  const session = useSession();
  const state = useSessionState();
  const cache = useQueryClient();
  const again = useMutation({
    mutationFn: session.signInAgain,
    // What was refused meanwhile.
    onSuccess: () => cache.refetchQueries({ predicate: ({ state: { status } }) => status === 'error' }),
  });
  // Escape is for this dialog, not for one below it: what is typed there stays.
  useEffect(() => {
    const dismiss = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isAsking(session.state())) return;
      event.stopImmediatePropagation();
      if (session.state() !== 'other') session.dismiss();
    };
    window.addEventListener('keydown', dismiss, { capture: true });
    return () => window.removeEventListener('keydown', dismiss, { capture: true });
  }, [session]);
  const said = again.error && (isBlocked(again.error) ? text.popupBlocked : text.popupFailed(again.error.message));
  // Stays clickable while it waits: whether the window was closed cannot be seen across the issuer's pages.
  const button = (
    <Button data-autofocus onClick={() => again.mutate()}>
      {text.signInAgain}
    </Button>
  );

  const outcome = (
    <>
      {said && <Alert color="red">{said}</Alert>}
      {again.isPending && (
        <Text size="sm" c="dimmed" role="status">
          {text.waiting}
        </Text>
      )}
    </>
  );

  if (state === 'dismissed') {
    return (
      <Stack mb="lg">
        <Alert color="yellow" role="status" title={text.ended}>
          {button}
        </Alert>
        {outcome}
      </Stack>
    );
  }
  return (
    <Dialog
      opened={state !== 'active'}
      onClose={session.dismiss}
      title={state === 'left' ? text.left : text.ended}
      // Above whatever dialog one was in.
      zIndex={300}
      {...(state === 'other' && { withCloseButton: false, closeOnEscape: false })}
    >
      <Stack>
        <Text size="sm">{state === 'other' ? text.otherPerson(session.nameNow(), session.name) : text.endedText}</Text>
        {outcome}
        <Group justify="flex-end">
          {state === 'other' ? (
            <Button variant="default" onClick={() => location.assign(import.meta.env.BASE_URL)}>
              {text.leaveAs(session.nameNow())}
            </Button>
          ) : (
            <Button variant="default" onClick={session.dismiss}>
              {text.later}
            </Button>
          )}
          {button}
        </Group>
      </Stack>
    </Dialog>
  );
}
