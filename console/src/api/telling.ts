import type { Transport } from './client.ts';

/** What an answer's headers say, as XMLHttpRequest gives them: a line each. */
const headersIn = (lines: string): [string, string][] =>
  lines
    .split('\r\n')
    .filter((line) => line.includes(':'))
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);

/** Answers that have no body, which a Response insists on. */
const bodiless = [204, 205, 304];

/** Sends by XMLHttpRequest, since `fetch` does not tell how much is sent. `tell` is given shares of 1. */
export const telling =
  (tell: (share: number) => void): Transport =>
  async (request) => {
    const body = await request.blob();
    request.signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const sending = new XMLHttpRequest();
    sending.open(request.method, request.url);
    for (const [name, value] of request.headers) sending.setRequestHeader(name, value);
    sending.upload.onprogress = ({ loaded, total }) => tell(total > 0 ? loaded / total : 0);
    sending.onload = () => {
      const { status, responseText } = sending;
      const headers = headersIn(sending.getAllResponseHeaders());
      resolve(new Response(bodiless.includes(status) ? null : responseText, { status, headers }));
    };
    sending.onerror = () => reject(new TypeError('No answer came'));
    sending.onabort = () => reject(request.signal.reason);
    request.signal.addEventListener('abort', () => sending.abort(), { once: true });
    sending.send(body);
    return promise;
  };
