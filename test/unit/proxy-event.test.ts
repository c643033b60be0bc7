import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildProxyEvent,
  isTooLargeForEvent,
  type ProxyRequest,
  parseAddress,
} from '../../infra/local/gateway/proxy-event.ts';
import { cpuTimeSince } from '../support/cpu-time.ts';

const count = 30_000;

/** Builds the event of a request with many headers and query parameters of the same name. */
function buildEvent() {
  const request = Object.assign(new IncomingMessage(new Socket()), {
    method: 'GET',
    rawHeaders: Array.from({ length: count }, (_, i) => ['X-A', String(i)]).flat(),
  });
  return buildProxyEvent({
    request,
    body: Buffer.alloc(0),
    address: parseAddress(`/assistants?${'a=1&'.repeat(count)}a=2`, 'dev'),
    match: {
      resource: '/assistants',
      pathParameters: null,
      method: 'GET',
      functionName: 'f',
      timeoutMs: 1_000,
      streams: false,
    },
    requestId: 'r',
    stage: 'dev',
    binaryMediaTypes: [],
  });
}

describe('the event of a request', () => {
  // Takes 0.1 s. Time in proportion to the square of their number would be over 10 s.
  test('takes time in proportion to the number of its headers and query parameters', () => {
    const before = process.cpuUsage();
    const event = buildEvent();
    expect(cpuTimeSince(before)).toBeLessThan(2_000);
    expect(event.multiValueHeaders['X-A']).toHaveLength(count);
    expect(event.multiValueQueryStringParameters?.a).toHaveLength(count + 1);
    expect(event.queryStringParameters?.a).toBe('2');
  });

  test('has a body that is measured without building its JSON', () => {
    const isTooLarge = (body: Buffer, maxBytes: number, contentType = 'application/json') => {
      const request = { headers: { 'content-type': contentType } } as IncomingMessage;
      return isTooLargeForEvent({ request, body, binaryMediaTypes: ['multipart/form-data'] } as ProxyRequest, maxBytes);
    };
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        const body = Buffer.from(text);
        const escaped = Buffer.byteLength(JSON.stringify(body.toString())) - 2;
        expect([escaped - 1, escaped].map((max) => isTooLarge(body, max))).toEqual([true, false]);
        const encoded = body.toString('base64').length;
        const form = 'multipart/form-data; boundary=x';
        expect([encoded - 4, encoded].map((max) => isTooLarge(body, max, form))).toEqual([true, false]);
      }),
    );
    expect([29, 30].map((max) => isTooLarge(Buffer.alloc(10, 0xff), max))).toEqual([true, false]);
  });
});
