import dns from 'node:dns';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setDefaultCACertificates, type TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { scaleTimeout } from '../support/timeouts.ts';

vi.stubEnv('OUTBOUND_ALLOW', 'exempt.test:*');
const { openRequest, releaseConnection, sendRequest } = await import('../../shared/outbound/send-request.ts');
const { limitRecords } = await import('../../shared/outbound/limit-records.ts');

const readKey = (name: string) => readFileSync(new URL(`../data/tls/${name}.pem`, import.meta.url), 'utf8');

beforeAll(() => {
  setDefaultCACertificates([readKey('cert')]);
  vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: object, callback: Callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }])) as never);
  syncBuiltinESMExports(); // Node imports it by name
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

type Callback = (error: Error | null, addresses: unknown) => void;

/** Starts a server with the certificate of `exempt.test`, and returns its URL. */
async function serve(answer: RequestListener, options: ServerOptions = {}): Promise<string> {
  const server = createServer({ key: readKey('key'), cert: readKey('cert'), ...options }, answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://exempt.test:${(server.address() as AddressInfo).port}`;
}

const request = { method: 'POST', headers: {}, body: '{}' };
const send = (url: string) =>
  sendRequest({ ...request, url, timeoutMs: scaleTimeout(20_000), maxAnswerBytes: 20_000_000 });

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('a request over %s', (maxVersion) => {
  it('is answered, also with 10 MB', async () => {
    const url = await serve((_, response) => response.end('x'.repeat(10_000_000)), { maxVersion });
    const { status, text } = await send(url);
    expect([status, text.length]).toEqual([200, 10_000_000]);
  });

  it('reads an answer that ends with its connection', async () => {
    const url = await serve(({ socket }) => socket.end('HTTP/1.1 200 OK\r\n\r\nx'), { maxVersion });
    expect(await send(url)).toMatchObject({ text: 'x', isCut: false });
  });

  it('uses a kept connection again', async () => {
    const ports = new Set<number | undefined>();
    const answer: RequestListener = ({ socket }, response) => {
      ports.add(socket.remotePort);
      response.end('x');
    };
    const url = await serve(answer, { maxVersion });
    for (let i = 0; i < 3; i++) {
      const response = await openRequest(
        { ...request, url, keepAlive: true },
        AbortSignal.timeout(scaleTimeout(5_000)),
      );
      releaseConnection(response);
      await once(response, 'close');
    }
    expect(ports.size).toBe(1);
  });
});

describe('a request over TLS', () => {
  it('reads certificates up to 16 KB', async () => {
    const answer: RequestListener = (_, response) => response.end('x');
    expect(await send(await serve(answer, { cert: readKey('cert').repeat(15) }))).toMatchObject({ text: 'x' });
    const large = await serve(answer, { cert: readKey('cert').repeat(25) });
    await expect(send(large)).rejects.toMatchObject({ code: 'EPROTO' });
  });

  it('leaves a kept connection that lets the process end', async () => {
    const url = await serve(({ socket }, response) => {
      socket.unref();
      response.end('x');
    });
    const countSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    await expect.poll(countSockets).toBe(0);
    const signal = AbortSignal.timeout(scaleTimeout(5_000));
    const response = await openRequest({ ...request, url, keepAlive: true }, signal);
    const { socket } = response;
    expect(countSockets()).toBe(1);
    releaseConnection(response);
    await once(response, 'close');
    await expect.poll(countSockets).toBe(0);
    expect(socket.destroyed).toBe(false);
  });

  it('is not sent to a server that would choose a group for DHE', async () => {
    const options: ServerOptions = { maxVersion: 'TLSv1.2', ciphers: 'DHE-RSA-AES128-GCM-SHA256', dhparam: 'auto' };
    const url = await serve((_, response) => response.end(), options);
    await expect(send(url)).rejects.toMatchObject({ code: 'EPROTO' });
  });

  it('ends as soon as the server asks for another handshake, before its answer and on a kept connection', async () => {
    const sockets: TLSSocket[] = [];
    const answer: RequestListener = ({ socket, url }, response) => {
      sockets.push(socket as TLSSocket);
      if (url === '/kept') response.end('x');
      else (socket as TLSSocket).renegotiate({}, () => {});
    };
    const url = await serve(answer, { maxVersion: 'TLSv1.2' });
    await expect(send(url)).rejects.toMatchObject({ code: 'EPROTO' });

    const kept = { ...request, url: `${url}/kept`, keepAlive: true };
    const response = await openRequest(kept, AbortSignal.timeout(scaleTimeout(5_000)));
    const { socket } = response;
    releaseConnection(response);
    await once(response, 'close');
    expect(socket.destroyed).toBe(false);
    const failed = once(socket, 'error');
    sockets.at(-1)?.renegotiate({}, () => {});
    expect((await failed)[0]).toMatchObject({ code: 'EPROTO' });
  });

  it.each(['HTTP/1.1 400 Bad Request\r\n\r\n', 'SSH-2.0-OpenSSH\r\n'])(
    'ends at once if the server answers %j instead',
    async (answer) => {
      const server = createTcpServer((socket) => void socket.on('error', () => {}).write(answer));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      await expect(send(`https://exempt.test:${port}`)).rejects.toMatchObject({ code: 'EPROTO' });
    },
  );
});

/** Builds a record of TLS. */
const buildRecord = (type: number, bytes: number) =>
  Buffer.concat([Buffer.from([type, 3, 3, bytes >> 8, bytes & 255]), Buffer.alloc(bytes)]);

/** Starts a limited connection. What is pushed into `connection` comes from the server. TLS is replaced: records of type 23 have data. */
function connect() {
  const connection = new Duplex({ read() {}, write: (_chunk, _encoding, callback) => callback() }) as Socket;
  const received: Buffer[] = [];
  const socket = Object.assign(new EventEmitter(), { bytesRead: 0 });
  let records = new Duplex();
  limitRecords(connection, (limited) => {
    records = limited.on('data', (record: Buffer) => {
      received.push(record);
      if (record[0] === types.data) socket.bytesRead += record.length;
    });
    return socket as unknown as TLSSocket;
  });
  return { connection, records, received, socket };
}

const types = { alert: 21, data: 23 };
const data = buildRecord(types.data, 100);
const silent = buildRecord(types.alert, 22);

/** Repeats pieces endlessly. */
function* repeat(...pieces: Buffer[]): Generator<Buffer> {
  for (;;) yield* pieces;
}

describe('a connection with TLS', () => {
  it('passes on whole records, however they come', async () => {
    const record = fc.tuple(fc.integer({ min: 20, max: 23 }), fc.integer({ min: 0, max: 2_000 }));
    const cut = fc.integer({ min: 1, max: 3_000 });
    const property = fc.asyncProperty(fc.array(record, { maxLength: 20 }), fc.array(cut), async (all, cuts) => {
      const sent = all.map(([type, bytes]) => buildRecord(type, bytes));
      let rest = Buffer.concat(sent);
      const { connection, records, received } = connect();
      const ended = once(records, 'end');
      for (const cut of cuts) {
        connection.push(rest.subarray(0, cut));
        rest = rest.subarray(cut);
      }
      connection.push(rest);
      connection.push(null);
      await ended;
      expect(received).toEqual(sent);
    });
    await fc.assert(property);
  });

  it.each<[what: string, pieces: Iterable<Buffer>, count: number]>([
    ['201 records without data', repeat(silent, data), 401],
    ['16,385 bytes without data', repeat(buildRecord(types.alert, 8_187)), 3],
    ['10,001 short pieces of records', repeat(data.subarray(0, 50), data.subarray(50)), 10_000],
    ['a record that is too long', [data, buildRecord(types.data, 18_433)], 1],
    ['a record of an unknown type', [data, buildRecord(24, 1)], 1],
  ])('ends after %s', async (_, pieces, count) => {
    const { connection, records, received, socket } = connect();
    socket.emit('secureConnect');
    const failed = once(records, 'error');
    for (const piece of pieces) {
      connection.push(piece);
      await new Promise(setImmediate);
      if (records.destroyed) break;
    }
    expect((await failed)[0]).toMatchObject({ code: 'EPROTO' });
    expect(connection.destroyed).toBe(true);
    expect(received).toHaveLength(count);
  });
});
