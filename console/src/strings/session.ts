/** Texts about signing in and out. */
export const session = {
  signedOut: 'You are signed out',
  signedOutText: 'Nothing of your session is left in this browser tab.',
  signIn: 'Sign in',
  failed: 'The sign-in did not work',
  failedText: 'Try again. If it keeps failing, send your administrator the text below.',
  windowDone: 'You can close this window',
  windowDoneText: 'The sign-in continues in the window you came from.',
  toConsole: 'Open the console',
  ended: 'Your session has ended',
  endedText:
    'Sign in again to go on. It opens a small window; this page stays as it is, with everything that you have typed.',
  left: 'You have signed out in another tab',
  signInAgain: 'Sign in again',
  later: 'Not now',
  waiting: 'Waiting for the window that has opened …',
  popupBlocked: 'Your browser blocked the window. Allow pop-ups for this site, then try again.',
  popupFailed: (reason: string) => `That did not work: ${reason}`,
  otherPerson: (now: string, before: string) =>
    `You signed in as ${now}, but this page belongs to ${before}. Sign in as ${before}, or leave the page.`,
  leaveAs: (name: string) => `Leave the page, go on as ${name}`,
  unreachable: 'The console cannot start',
  unreachableText: 'Its settings could not be read. Check your connection, then try again.',
} as const;
