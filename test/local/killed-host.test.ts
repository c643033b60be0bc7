import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import type { JournalEvent } from '../../shared/schemas/event.ts';
import { createClient, deployed } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { type KillableHost, startKillableHost } from '../support/killable-host.ts';
import { eventually } from '../support/timeouts.ts';

const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-killed-'));
let host: KillableHost | undefined;
afterAll(async () => {
  await host?.kill();
  rmSync(dir, { recursive: true, force: true });
});

const program = `
  import { startHost } from './infra/local/host.ts';
  const { url } = await startHost({ dir: ${JSON.stringify(dir)}, port: 0 });
  console.log(url);`;

/** Starts a host. Returns its address. */
async function start(): Promise<string> {
  host = await startKillableHost('--input-type=module', '-e', program);
  return host.url;
}

const readBusLog = (): string[] =>
  readFileSync(join(dir, 'logs', 'bus.log'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).detail.id);

describe.skipIf(deployed)('a host that is killed in the middle of writes', () => {
  it('has an event for each change and a change for each event, and sends all of them after its restart', async () => {
    const firstUrl = await start();
    const sub = `user-${randomUUID()}`;
    const token = await (await LocalIssuer.open(dir)).token({ sub, ttl: 3600 });
    let answered = 0;
    const write = async () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const request = { method: 'POST', headers, body: JSON.stringify(minimal) };
      const { status } = await fetch(`${firstUrl}/assistants`, request);
      if (status === 200) answered += 1;
      if (answered === 60) await host?.kill();
    };
    const writeUntilKilled = async () => {
      for (;;) await write();
    };
    await Promise.allSettled(Array.from({ length: 20 }, writeUntilKilled));
    const halfDeleted = join(dir, 's3', 'files', sub);
    mkdirSync(halfDeleted, { recursive: true });
    writeFileSync(join(halfDeleted, 'x._S3rver_object.md5'), 'canary');

    const after = createClient(sub, token, await start());
    const page = await after.get<{ data: { events: JournalEvent[] } }>('/events?settled=false&limit=1000');
    const { events } = page.body.data;
    const { body: assistants } = await after.get<{ id: string }[]>('/assistants');
    expect(events.length).toBeGreaterThanOrEqual(60);
    expect(events.map(({ subject }) => subject.id).toSorted()).toEqual(assistants.map(({ id }) => id).toSorted());
    await eventually(() => expect(new Set(readBusLog())).toEqual(new Set(events.map(({ id }) => id))));
    expect(existsSync(halfDeleted)).toBe(false);
    await host?.kill();
  });
});
