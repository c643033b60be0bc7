import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { findUnreachableAddress } from '../../infra/local/emulators/port.ts';

async function listen(): Promise<{ port: number; close: () => Promise<unknown> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => once(server.close(), 'close');
  return { port: (server.address() as AddressInfo).port, close };
}

it('finds a port that no program uses, at 127.0.0.1 neither', async () => {
  const [used, free] = [await listen(), await listen()];
  onTestFinished(async () => void (await used.close()));
  await free.close();
  expect((await findUnreachableAddress([used.port, free.port])).port).toBe(free.port);
  await expect(findUnreachableAddress([used.port])).rejects.toThrow('must be free: stop another host');
});
