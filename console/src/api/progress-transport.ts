import type { Transport } from '../../../clients/typescript/src/api.ts';

/** Parses the response headers that XMLHttpRequest returns, one per line. */
const parseHeaders = (lines: string): [string, string][] =>
  lines
    .split('\r\n')
    .filter((line) => line.includes(':'))
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);

/** Statuses without a body. The Response constructor throws if they have one. */
const bodilessStatuses = [204, 205, 304];

/**
 * Creates a transport that reports upload progress as a fraction of 1. Uses XMLHttpRequest, because `fetch` reports no
 * upload progress.
 */
export const createProgressTransport =
  (onProgress: (share: number) => void): Transport =>
  async (request) => {
    const body = await request.blob();
    request.signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const xhr = new XMLHttpRequest();
    xhr.open(request.method, request.url);
    for (const [name, value] of request.headers) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    xhr.onload = () => {
      const { status, responseText } = xhr;
      const headers = parseHeaders(xhr.getAllResponseHeaders());
      resolve(new Response(bodilessStatuses.includes(status) ? null : responseText, { status, headers }));
    };
    xhr.onerror = () => reject(new TypeError('No response'));
    xhr.onabort = () => reject(request.signal.reason);
    request.signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(body);
    return promise;
  };
