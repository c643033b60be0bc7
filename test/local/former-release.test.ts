import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, startHost } from '../../infra/local/host.ts';
import type { JournalEvent } from '../../shared/schemas/event.ts';
import type { KnowledgeBase } from '../../shared/schemas/knowledge-base.ts';
import type { RuntimeConfig } from '../../shared/schemas/runtime-config.ts';
import { type Client, createClient, deployed } from '../support/api.ts';
import { eventually } from '../support/timeouts.ts';

/** Ids and API key in the data folder that the release before the journal has written, as test/data/former-release/ids.json lists them. */
interface Ids {
  assistant: string;
  document: string;
  announced: string;
  session: string;
  key: string;
}

const folder = join(import.meta.dirname, '../data/former-release');
const ids: Ids = JSON.parse(readFileSync(join(folder, 'ids.json'), 'utf8'));

describe.skipIf(deployed)('a data folder of the former release', () => {
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-former-'));
  let host: Host;
  let user: Client;
  let worker: Client;
  beforeAll(async () => {
    cpSync(join(folder, 'data'), dir, { recursive: true });
    host = await startHost({ dir, port: 0 });
    user = createClient('demo', await host.issuer.token({ sub: 'demo', ttl: 3600 }), host.url);
    worker = createClient('demo', ids.key, host.url);
  });
  afterAll(async () => {
    await host?.stop();
    rmSync(dir, { recursive: true });
  });

  it('keeps its assistants, documents, calls, credentials and API keys', async () => {
    const { body: assistants } = await user.get<{ id: string }[]>('/assistants');
    expect(assistants.map(({ id }) => id)).toEqual([ids.assistant]);
    const found = await user.post(`/assistants/${ids.assistant}/search`, { query: 'archive' });
    expect(found.body).toMatchObject({ data: { passages: [{ text: 'The archive is in the cellar.' }] } });
    expect((await user.get(`/logs/chat-logs/${ids.session}`)).status).toBe(200);
    const config = await worker.get<{ data: RuntimeConfig }>(`/assistants/${ids.assistant}/runtime-config`);
    expect(config.text).toContain('sk-former-release-0123456789');
  });

  it('shows a document that never arrived as failed, and deletes documents', async () => {
    const path = (id: string) => `/assistants/knowledge-base/${id}`;
    const { body } = await user.get<{ data: KnowledgeBase }>(path(ids.announced));
    expect(body.data).toMatchObject({ status: 'failed', status_reason: { type: 'upload_missing' } });
    for (const id of [ids.announced, ids.document])
      expect((await user.delete(`${path(id)}?force=true`)).status).toBe(200);
  });

  it('has events of the changes from now on, which reach the event bus', async () => {
    const edit = await user.put(`/assistants/${ids.assistant}`, { name: 'Front desk' });
    expect(edit.status).toBe(200);
    const { body } = await user.get<{ data: { events: { id: string; type: string }[] } }>('/events?settled=false');
    const types = body.data.events.map(({ type }) => type);
    expect(types).toEqual([
      'credential.leased',
      'knowledge_base.deleted',
      'knowledge_base.deleted',
      'assistant.updated',
    ]);
    const readBus = (): JournalEvent[] =>
      readFileSync(join(dir, 'logs', 'bus.log'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).detail);
    const sent = new Set(body.data.events.map(({ id }) => id));
    await eventually(() => expect(new Set(readBus().map(({ id }) => id)).intersection(sent)).toEqual(sent));
  });
});
