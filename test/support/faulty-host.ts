import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, vi } from 'vitest';
import { startHost } from '../../infra/local/host.ts';
import { clientWith } from './api.ts';
import { faultyProxy } from './faulty-proxy.ts';

/** Starts a host of its own with a user, whose database fails when `proxy` is told to. */
export async function faultyHost() {
  const proxy = await faultyProxy(inject('dynamoDb'));
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-faults-'));
  vi.stubEnv('DYNAMODB_ENDPOINT', proxy.url);
  const host = await startHost({ dir, port: 0 }).finally(() => vi.unstubAllEnvs());
  const sub = `user-${randomUUID()}`;
  const user = clientWith(sub, await host.issuer.token({ sub, ttl: 3600 }), host.url);
  const stop = async (): Promise<void> => {
    await host.stop();
    proxy.stop();
    rmSync(dir, { recursive: true });
  };
  return { proxy, host, dir, user, stop };
}
