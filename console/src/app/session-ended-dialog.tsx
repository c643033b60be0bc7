import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isSignInPending } from '../auth/session.ts';
import { useSession, useSessionState } from '../auth/session-context.ts';
import { session as text } from '../strings/session.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';

/** True if the browser blocked the popup. oidc-client-ts has no error type for it. */
const isBlocked = ({ message }: Error) => message.includes('disposed window');

/**
 * Asks the user to sign in again when the session ends, in a dialog above the unchanged page. After "Not now", a line
 * at the top of the page offers it.
 */
export function SessionEndedDialog() {
  const session = useSession();
  const state = useSessionState();
  const cache = useQueryClient();
  const signIn = useMutation({
    mutationFn: session.signInAgain,
    // Refetches what failed during the sign-in.
    onSuccess: () => cache.refetchQueries({ predicate: ({ state: { status } }) => status === 'error' }),
  });
  // Escape closes this dialog, not one below it, so that input there is kept.
  useEffect(() => {
    const dismiss = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isSignInPending(session.getState())) return;
      event.stopImmediatePropagation();
      if (session.getState() !== 'other') session.dismiss();
    };
    window.addEventListener('keydown', dismiss, { capture: true });
    return () => window.removeEventListener('keydown', dismiss, { capture: true });
  }, [session]);
  const message =
    signIn.error && (isBlocked(signIn.error) ? text.popupBlocked : text.popupFailed(signIn.error.message));
  // Stays clickable while waiting: the console cannot see whether the window was closed, because the issuer's pages are
  // cross-origin.
  const button = (
    <Button data-autofocus onClick={() => signIn.mutate()}>
      {text.signInAgain}
    </Button>
  );

  const outcome = (
    <>
      {message && <Alert color="red">{message}</Alert>}
      {signIn.isPending && (
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
      // Above any other dialog.
      zIndex={300}
      {...(state === 'other' && { withCloseButton: false, closeOnEscape: false })}
    >
      <Stack>
        <Text size="sm">
          {state === 'other' ? text.otherPerson(session.getLatestName(), session.name) : text.endedText}
        </Text>
        {outcome}
        <Group justify="flex-end">
          {state === 'other' ? (
            <Button variant="default" onClick={() => location.assign(import.meta.env.BASE_URL)}>
              {text.leaveAs(session.getLatestName())}
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
