import { Button, Center, Code, Stack, Text, Title } from '@mantine/core';
import { common } from '../strings/common.ts';
import { session as text } from '../strings/session.ts';
import { ThemeProvider } from './app.tsx';

interface Props {
  title: string;
  children: string;
  /** Technical reason, if any. */
  reason?: string;
  action?: { label: string; onClick: () => void };
}

/** A short page for visitors who are not signed in. */
function SignedOutPage({ title, children, reason, action }: Props) {
  return (
    <ThemeProvider>
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
    </ThemeProvider>
  );
}

export const SignedOut = ({ onSignIn }: { onSignIn: () => void }) => (
  <SignedOutPage title={text.signedOut} action={{ label: text.signIn, onClick: onSignIn }}>
    {text.signedOutText}
  </SignedOutPage>
);

/** Shown in a popup that has finished, or at the URL of an old sign-in. */
export const WindowDone = () => (
  <SignedOutPage
    title={text.windowDone}
    action={{ label: text.toConsole, onClick: () => location.assign(import.meta.env.BASE_URL) }}
  >
    {text.windowDoneText}
  </SignedOutPage>
);

export const SignInFailed = ({ reason, onSignIn }: { reason: string; onSignIn: () => void }) => (
  <SignedOutPage title={text.failed} reason={reason} action={{ label: common.tryAgain, onClick: onSignIn }}>
    {text.failedText}
  </SignedOutPage>
);

export const CannotStart = ({ reason }: { reason: string }) => (
  <SignedOutPage
    title={text.unreachable}
    reason={reason}
    action={{ label: common.tryAgain, onClick: () => location.reload() }}
  >
    {text.unreachableText}
  </SignedOutPage>
);
