import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, vi } from 'vitest';
import { startHost } from '../../infra/local/host.ts';
import { createClient } from './api.ts';
import { startFaultyProxy } from './faulty-proxy.ts';

/** Starts a separate host with a user. Its `proxy` injects faults into requests to the database. */
export async function startFaultyHost() {
  const proxy = await startFaultyProxy(inject('dynamoDb'));
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-faults-'));
  vi.stubEnv('DYNAMODB_ENDPOINT', proxy.url);
  const host = await startHost({ dir, port: 0 }).finally(() => vi.unstubAllEnvs());
  const sub = `user-${randomUUID()}`;
  const user = createClient(sub, await host.issuer.token({ sub, ttl: 3600 }), host.url);
  const stop = async (): Promise<void> => {
    await host.stop();
    proxy.stop();
    rmSync(dir, { recursive: true });
  };
  return { proxy, host, dir, user, stop };
}
