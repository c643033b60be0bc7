import { Button, Center, Code, Stack, Text, Title } from '@mantine/core';
import { common } from '../strings/common.ts';
import { session as text } from '../strings/session.ts';
import { Look } from './app.tsx';

interface Props {
  title: string;
  children: string;
  /** The technical reason, where there is one. */
  reason?: string;
  action?: { label: string; onClick: () => void };
}

/** A page of a few words, for whoever is not signed in. */
function Before({ title, children, reason, action }: Props) {
  return (
    <Look>
      <title>{common.title(title)}</title>
      <Center component="main" mih="100dvh" p="md">
        <Stack align="center" maw="26rem" ta="center">
          <img src={`${import.meta.env.BASE_URL}favicon.svg`} width={48} height={48} alt="" />
          <Title order={1}>{title}</Title>
          <Text c="dimmed">{children}</Text>
          {reason && <Code>{reason}</Code>}
          {action && <Button onClick={action.onClick}>{action.label}</Button>}
        </Stack>
      </Center>
    </Look>
  );
}

export const SignedOut = ({ onSignIn }: { onSignIn: () => void }) => (
  <Before title={text.signedOut} action={{ label: text.signIn, onClick: onSignIn }}>
    {text.signedOutText}
  </Before>
);

/** A popup whose work is done, or the address of a sign-in of long ago. */
export const WindowDone = () => (
  <Before
    title={text.windowDone}
    action={{ label: text.toConsole, onClick: () => location.assign(import.meta.env.BASE_URL) }}
  >
    {text.windowDoneText}
  </Before>
);

export const SignInFailed = ({ reason, onSignIn }: { reason: string; onSignIn: () => void }) => (
  <Before title={text.failed} reason={reason} action={{ label: common.tryAgain, onClick: onSignIn }}>
    {text.failedText}
  </Before>
);

export const CannotStart = ({ reason }: { reason: string }) => (
  <Before
    title={text.unreachable}
    reason={reason}
    action={{ label: common.tryAgain, onClick: () => location.reload() }}
  >
    {text.unreachableText}
  </Before>
);
