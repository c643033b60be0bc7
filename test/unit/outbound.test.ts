import dns from 'node:dns';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer as createTcpServer, isIP } from 'node:net';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findUrlFault, isExempt } from '../../shared/outbound/url-rules.ts';
import type { ToolRequest } from '../../shared/schemas/tool.ts';
import { scaleTimeout } from '../support/timeouts.ts';

vi.stubEnv('OUTBOUND_ALLOW', 'exempt.test:*');
const { ForbiddenAddress } = await import('../../shared/outbound/errors.ts');
const { openRequest, releaseConnection, sendRequest } = await import('../../shared/outbound/send-request.ts');
const { readAnswer } = await import('../../shared/outbound/read-answer.ts');
const { readChunks } = await import('../../shared/conversation/vendor.ts');
const { limitKept } = await import('../../shared/outbound/limit-kept.ts');
const { lookUp } = await import('../../shared/outbound/look-up.ts');
const { sendToolRequest } = await import('../../shared/outbound/call-tool.ts');

const send = (url: string) =>
  sendRequest({ method: 'POST', url, headers: {}, body: '{}', timeoutMs: 2_000, maxAnswerBytes: 100 });

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Spellings of addresses that are not on the public internet. */
const forbiddenHosts = [
  ...['127.0.0.1', '127.1', '127.0.1', '0x7f.1', '0x7f000001', '2130706433', '0177.0.0.1', '017700000001', '0'],
  ...['0.0.0.0', '10.0.0.1', '10.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '0xa9fea9fe', '100.64.0.1'],
  ...['198.18.0.1', '224.0.0.1', '255.255.255.255', '8.8.8.8'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fd00::1]'],
  ...['[fe80::1]', '[fec0::1]', '[ff02::1]', '[2001:db8::1]', '[2606:4700::1111]', '①②⑦.⓪.⓪.①', '１２７.0.0.1'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'x.localhost', 'printer.local', 'api.internal', 'metadata'],
];

describe('a URL that a client names', () => {
  it.each(['https://example.com', 'https://example.com:8443/hook?a=b#c', 'https://bücher.example/ä'])(
    'may be %s',
    (url) => {
      expect(findUrlFault(url, [])).toBeUndefined();
    },
  );

  it.each(forbiddenHosts)('may not have the host %s', (host) => {
    expect(findUrlFault(`https://${host}/hook`, [])?.type).toBe('forbidden_address');
    expect(findUrlFault(`http://${host}/hook`, [])?.type).toBe('url_parsing');
  });

  it.each([
    ['http://example.com', 'url_parsing'],
    ['ftp://example.com', 'url_parsing'],
    ['file:///etc/passwd', 'url_parsing'],
    ['javascript:alert(1)', 'url_parsing'],
    ['example.com/hook', 'url_parsing'],
    ['https://', 'url_parsing'],
    ['https://user:password@example.com', 'url_parsing'],
    ['https://example.com:22', 'forbidden_address'],
    ['https://example.com:25', 'forbidden_address'],
    ['https://example.com:80', 'forbidden_address'],
  ])('may not be %s', (url, type) => {
    expect(findUrlFault(url, [])?.type).toBe(type);
  });

  it('is parsed or refused, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.ipV4().map((ip) => `https://${ip}`),
        ),
        (text) => {
          const fault = findUrlFault(text, []);
          if (!fault) expect(new URL(text).protocol).toBe('https:');
        },
      ),
    );
  });

  it('may be exempt by host and port', () => {
    const allowed = ['127.0.0.1:*', 'hooks.internal:8443'];
    expect(isExempt(new URL('http://127.0.0.1:4000/'), allowed)).toBe(true);
    expect(isExempt(new URL('https://hooks.internal:8443'), allowed)).toBe(true);
    expect(isExempt(new URL('https://hooks.internal'), allowed)).toBe(false);
    expect(findUrlFault('http://127.0.0.1:4000/', allowed)).toBeUndefined();
    expect(findUrlFault('http://user@127.0.0.1:4000/', allowed)?.type).toBe('url_parsing');
  });
});

type Callback = (error: Error | null, addresses: unknown) => void;

/** Lets every public name resolve to these addresses, one answer after another. */
function resolveTo(...answers: string[][]): void {
  let count = 0;
  const { prototype } = dns.promises.Resolver;
  const find = async (family: number) => {
    const all = answers[Math.min(count, answers.length - 1)] ?? [];
    const found = all.filter((address) => isIP(address) === family);
    if (family === 6 || found.length > 0) count += 1;
    if (found.length === 0) throw Object.assign(new Error(), { code: all.length > 0 ? 'ENODATA' : 'ENOTFOUND' });
    return found;
  };
  vi.spyOn(prototype, 'resolve4').mockImplementation((() => find(4)) as never);
  vi.spyOn(prototype, 'resolve6').mockImplementation((() => find(6)) as never);
}

/** Lets every exempt name resolve to this machine. */
function resolveExempt(): void {
  vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: object, callback: Callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }])) as never);
  syncBuiltinESMExports(); // Node imports it by name
}

describe('a request to a public name', () => {
  it.each([
    [['127.0.0.1']],
    [['10.0.0.1']],
    [['169.254.169.254']],
    [['::1']],
    [['fd00:ec2::254']],
    [['::ffff:10.0.0.1']],
    [['64:ff9b::a00:1']],
    [['100.100.100.200']],
    [['0.0.0.0']],
    [['::7f00:1']],
    [['::a9fe:a9fe']],
    [['::127.0.0.1']],
    [['93.184.216.34', '127.0.0.1']],
  ])('is refused if the name resolves to %j', async (addresses) => {
    resolveTo(addresses);
    await expect(send('https://rebinding.example/')).rejects.toBeInstanceOf(ForbiddenAddress);
  });

  it('is refused if the name resolves to a public address first, and to a private one when connecting', async () => {
    resolveTo(['93.184.216.34'], ['169.254.169.254']);
    expect(findUrlFault('https://rebinding.example/', [])).toBeUndefined();
    await new dns.promises.Resolver().resolve4('rebinding.example');
    await expect(send('https://rebinding.example/')).rejects.toBeInstanceOf(ForbiddenAddress);
  });

  it('reports a name that does not resolve, and one whose name servers fail', async () => {
    resolveTo([]);
    await expect(send('https://nowhere.example/')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    vi.spyOn(dns.promises.Resolver.prototype, 'resolve4').mockRejectedValue({ code: 'ECONNREFUSED' });
    await expect(send('https://nowhere.example/')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
    vi.spyOn(dns.promises.Resolver.prototype, 'resolve4').mockRestore();
    await expect(send('https://no..where.example/')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('reports a name that is an alias of one without addresses', async () => {
    const { prototype } = dns.promises.Resolver;
    vi.spyOn(prototype, 'resolve4').mockResolvedValue([]); // as c-ares does
    vi.spyOn(prototype, 'resolve6').mockResolvedValue([]);
    await expect(send('https://alias.example/')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    vi.spyOn(prototype, 'resolve6').mockResolvedValue(['::1']);
    await expect(send('https://alias.example/')).rejects.toBeInstanceOf(ForbiddenAddress);
  });

  it('tries the first eight addresses of a name, which a resolver of its own finds', async () => {
    const addresses = Array.from({ length: 20 }, (_, i) => `93.184.216.${i}`);
    const resolve = vi.spyOn(dns.promises.Resolver.prototype, 'resolve4').mockResolvedValue(addresses as never);
    const find = () => new Promise((done) => lookUp('many.example', { all: true }, (_, found) => done(found)));
    expect(await find()).toEqual(addresses.slice(0, 8).map((address) => ({ address, family: 4 })));
    await find();
    expect(new Set(resolve.mock.contexts).size).toBe(2);
  });

  it('does not use `dns.lookup`, whose threads a name without an answer would hold', async () => {
    const lookup = vi.spyOn(dns, 'lookup');
    syncBuiltinESMExports();
    resolveTo(['::1']);
    await expect(send('https://slow.example/')).rejects.toBeInstanceOf(ForbiddenAddress);
    expect(lookup).not.toHaveBeenCalled();
  });
});

describe('a request to an exempt host', () => {
  /** Starts a server behind the name `exempt.test`. */
  async function serve(answer: Parameters<typeof createServer>[1]): Promise<string> {
    const server = createServer(answer);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    resolveExempt();
    return `http://exempt.test:${(server.address() as AddressInfo).port}`;
  }

  it('returns the status, the beginning of the body and Retry-After, and follows no redirect', async () => {
    const url = await serve((_, response) =>
      response.writeHead(307, { location: 'http://127.0.0.1:1/', 'retry-after': '7' }).end('x'.repeat(1_000)),
    );
    expect(await send(url)).toEqual({ status: 307, isCut: true, text: 'x'.repeat(100), retryAfter: '7' });
  });

  it('is read up to 100,000 pieces', async () => {
    const response = (pieces: number) => Readable.from(Array(pieces).fill(Buffer.from('x'))) as IncomingMessage;
    expect(await readAnswer(response(100_000), 1_000_000)).toEqual({ text: 'x'.repeat(100_000), isCut: false });
    expect(await readAnswer(response(200_000), 1_000_000)).toEqual({ text: 'x'.repeat(100_001), isCut: true });
  });

  it('is read up to 100,000 pieces if a vendor streams it', async () => {
    const vendor = { name: 'OpenAI', apiKey: undefined } as unknown as Parameters<typeof readChunks>[1];
    const read = async (pieces: number) => {
      const response = Readable.from(Array(pieces).fill(Buffer.from('\n'))) as IncomingMessage;
      for await (const chunk of readChunks(response, vendor, new AbortController().signal)) expect(chunk).toBeDefined();
      return 'read';
    };
    expect(await read(100_000)).toBe('read');
    await expect(read(100_001)).rejects.toMatchObject({
      detail: [{ msg: expect.stringMatching(/^OpenAI answered more than .* 100,000 pieces$/) }],
    });
  });

  it('ends one that never begins for all that it announces', async () => {
    const url = await serve((_, response) => {
      for (let i = 0; i < 21; i++) response.writeProcessing();
    });
    await expect(send(url)).rejects.toThrow('No answer: EPROTO');
  });

  it('ends after its time, also in the middle of an answer', async () => {
    const slow = await serve((_, response) => {
      response.writeHead(200);
      response.write('x');
    });
    await expect(send(slow)).rejects.toMatchObject({ code: 'timeout' });
  });

  it('ends at once if the server upgrades to another protocol', async () => {
    const upgrading = await serve((request) =>
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    );
    await expect(send(upgrading)).rejects.toMatchObject({ code: 'EPROTO' }); // and no `timeout`
  });

  it.each([
    ['blank lines before the status line', '', '\r\n'.repeat(30_000)],
    ['spaces of a header', 'HTTP/1.1 200 OK\r\na:', ' '.repeat(60_000)],
    [
      'chunk extensions',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      `1;${'a'.repeat(15_000)}\r\n \r\n`.repeat(4),
    ],
    ['packets of a byte', 'HTTP/1.1 200 OK\r\na:', ' '],
  ])('ends an answer with endless %s', async (_, head, more) => {
    let sent = 0;
    const endless = await serve(({ socket }) => {
      socket.write(head);
      const send = () => {
        while (!socket.destroyed) {
          sent += more.length;
          if (!socket.write(more)) return socket.once('drain', send);
          if (more.length === 1) return setImmediate(send);
        }
        return undefined;
      };
      socket.setNoDelay(true).on('error', () => {});
      send();
    });
    const url = {
      method: 'GET',
      url: endless,
      headers: {},
      timeoutMs: scaleTimeout(60_000),
      maxAnswerBytes: 5_000_000,
    };
    await expect(sendRequest(url)).rejects.toMatchObject({ code: expect.stringMatching(/^(?:EPROTO|ECONNRESET)$/) });
    expect(sent).toBeLessThan(60_000_000);
  });

  /** Sends a request on a connection that may be kept, and releases it. Resolves when the response is closed. */
  async function sendKept(url: string): Promise<void> {
    const request = { method: 'POST', url, headers: {}, body: '{}', keepAlive: true };
    const response = await openRequest(request, AbortSignal.timeout(scaleTimeout(5_000)));
    const closed = once(response, 'close');
    releaseConnection(response);
    await closed;
  }

  it('uses a connection again if it may be kept, and its own otherwise', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('x');
    });
    for (let i = 0; i < 3; i++) await sendKept(url);
    expect(ports.size).toBe(1);
    for (let i = 0; i < 2; i++) await send(url);
    expect(ports.size).toBe(3);
  });

  it('leaves no connection to a server that answers without reading the body', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx');
      onTestFinished(() => void socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    resolveExempt();
    const url = `http://exempt.test:${(server.address() as AddressInfo).port}`;
    const body = 'x'.repeat(20_000_000);
    const parts = { method: 'POST', url, headers: {}, body, keepAlive: true };
    const response = await openRequest(parts, AbortSignal.timeout(scaleTimeout(5_000)));
    const { socket } = response;
    expect((await readAnswer(response, 100)).text).toBe('x');
    expect(socket.destroyed).toBe(true);
  });

  it('keeps at most `max` unused connections, those used last', async () => {
    const agent = new Agent({ keepAlive: true });
    limitKept(agent, 2);
    const urls = await Promise.all([1, 2, 3].map(() => serve((_, response) => response.end('x'))));
    const send = async (i: number) => {
      const request = httpRequest(urls[i] ?? '', { agent }).end();
      const [response] = await once(request, 'response');
      await Promise.all([once(response.resume(), 'close'), once(agent, 'free')]);
      return request.reusedSocket;
    };
    expect([await send(0), await send(1), await send(0), await send(2)]).toEqual([false, false, true, false]);
    expect([await send(0), await send(1)]).toEqual([true, false]);
    agent.destroy();
  });

  it('keeps a connection though servers close others', async () => {
    const agent = new Agent({ keepAlive: true });
    limitKept(agent, 2);
    const keeping = await serve((_, response) => response.end('x'));
    const closing = await serve(({ socket }, response) => response.end('x', () => socket.destroy()));
    const send = async (url: string) => {
      const request = httpRequest(url, { agent }).end();
      const [response] = await once(request, 'response');
      const closed = url === closing ? once(response.socket, 'close') : once(agent, 'free');
      await Promise.all([once(response.resume(), 'close'), closed]);
      return request.reusedSocket;
    };
    await send(keeping);
    for (let i = 0; i < 3; i++) await send(closing);
    expect(await send(keeping)).toBe(true);
    agent.destroy();
  });

  it('keeps at most 20 unused connections', async () => {
    let connections = 0;
    const answer: RequestListener = ({ socket }, response) => {
      connections += 1;
      socket.once('close', () => {
        connections -= 1;
      });
      response.end('x');
    };
    for (let i = 0; i < 25; i++) await sendKept(await serve(answer));
    await expect.poll(() => connections).toBe(20);
  });

  it('is sent again if a kept connection loses it, but not if a new one does', async () => {
    let [answered, requests] = [0, 0];
    const url = await serve((request, response) => {
      requests += 1;
      if (answered === 1 && requests === 2) return request.socket.destroy();
      answered += 1;
      response.end('x');
    });
    await sendKept(url);
    await sendKept(url);
    expect([answered, requests]).toEqual([2, 3]);
    const dying = await serve((request) => request.socket.destroy());
    await expect(sendKept(dying)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it.each(['data', 'end', 'close'])('may be ended at any moment around the "%s" of its answer', async (event) => {
    const url = await serve((_, response) => response.end('x'));
    const delays = [queueMicrotask, process.nextTick, setImmediate, (run: () => void) => run()];
    const uncaught = vi.fn();
    process.on('uncaughtException', uncaught);
    onTestFinished(() => void process.off('uncaughtException', uncaught));
    for (const delay of delays) {
      const ending = new AbortController();
      const request = { method: 'POST', url, headers: {}, body: '{}', keepAlive: true };
      const response = await openRequest(request, ending.signal);
      const ended = [once(response, 'close'), once(ending.signal, 'abort')];
      response.once(event, () => delay(() => ending.abort()));
      releaseConnection(response);
      await Promise.all(ended);
    }
    await sendKept(url); // by then, errors of the earlier ones have come
    expect(uncaught).not.toHaveBeenCalled();
  });

  it('ends a released connection whose answer goes on', async () => {
    let isClosed = false;
    const url = await serve((request, response) => {
      request.socket.once('close', () => {
        isClosed = true;
      });
      response.write('x');
    });
    await sendKept(url);
    await expect.poll(() => isClosed).toBe(true);
  });
});

describe('the request of a tool', () => {
  const request = { method: 'GET', headers: {}, query: {}, timeout_seconds: 1, credential: null } as const;

  it.each<[where: string, fields: Pick<ToolRequest, 'url'> & Partial<ToolRequest>]>([
    ['its query', { url: 'https://api.example.com/', query: { lang: 'de' } }],
    ['its URL', { url: 'https://api.example.com/?lang=de' }],
    ['its URL, encoded', { url: 'https://api.example.com/?l%61ng=de' }],
    ['both', { method: 'DELETE', url: 'https://api.example.com/?lang=de', query: { lang: 'de' } }],
  ])('is not sent with an argument that repeats a parameter of %s', async (_, fields) => {
    const sent = sendToolRequest({ ...request, ...fields }, {}, [], { lang: 'fr' }, null);
    await expect(sent).rejects.toMatchObject({
      detail: [{ loc: ['body', 'arguments', 'lang'], type: 'argument' }],
    });
  });

  it('is not sent with a query that makes its URL longer than 8,192 characters', async () => {
    const given = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`q${i}`, 'x']));
    const sent = sendToolRequest({ ...request, url: 'https://api.example.com/' }, {}, [], given, null);
    await expect(sent).rejects.toMatchObject({
      detail: [{ loc: ['body', 'arguments'], msg: expect.stringContaining('8,192'), type: 'argument' }],
    });
  });
});
