/** Title and advice for each status of a failed request; 0 is no response. */
export const failures: Record<number, { title: string; advice: string }> = {
  0: { title: 'The service cannot be reached', advice: 'Check your connection, then try again.' },
  401: { title: 'You are not signed in', advice: 'Sign in again to go on.' },
  403: { title: 'You don’t have permission', advice: 'Ask the administrator of the service for access.' },
  404: { title: 'Not found', advice: 'It may have been deleted, or it belongs to somebody else.' },
  409: { title: 'This conflicts with something else', advice: 'Wait a moment, then try again.' },
  412: { title: 'Somebody else has changed it', advice: 'Try again to see both versions.' },
  413: { title: 'It is too large', advice: 'Make it smaller, then try again.' },
  422: { title: 'Some fields need attention', advice: 'See what is marked, then try again.' },
  429: { title: 'Too many requests', advice: 'Wait a few seconds, then try again.' },
};

/** Returns the advice for a response with `Retry-After`. */
export const getWaitAdvice = (seconds: number): string =>
  seconds === 1 ? 'Wait a second, then try again.' : `Wait ${seconds} seconds, then try again.`;

/** Any other status: an error of the service. */
export const serviceFailure = {
  title: 'The service has a problem',
  advice: 'Try again in a moment. If it keeps happening, report the request id below.',
};

/** An error in the console itself. */
export const consoleFailure = {
  title: 'This page has a problem',
  advice: 'Load it again. If it keeps happening, report the text below.',
};

/** A lazy chunk failed to load. */
export const chunkFailure = {
  page: 'Not loaded',
  title: 'This part of the console could not be loaded',
  advice: 'The connection may be gone, or there may be a new version of the console. Try again.',
};

/** The API rejected the id in the page's URL. */
export const addressFailure = {
  title: 'This address leads nowhere',
  advice: 'It may have been cut or mistyped.',
};

export const pageNotFound = {
  title: 'There is no such page',
  advice: 'The address may have been cut or mistyped',
  back: 'Go to the start',
};
