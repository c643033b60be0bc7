import { afterAll, describe, expect, test } from 'vitest';
import { importAgents } from '../../clients/cli/import/import-agents.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { RuntimeConfig } from '../../shared/schemas/runtime-config.ts';
import { createUser, deployed } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { documents } from '../support/import-documents.ts';
import { startPlatformApi } from '../support/platform-api.ts';
import { drawSample } from '../support/sample.ts';

const user = await createUser();
const worker = await createWorker(user, ['runtime']);
const apis: { stop(): void }[] = [];
afterAll(() => {
  for (const api of apis) api.stop();
});

/** Imports a document of Vapi's, Retell's, … API into the host. Returns the created ids. */
async function importInto(platform: string, document: unknown) {
  const ids: string[] = [];
  const lines: string[] = [];
  const code = await importAgents(
    [platform],
    { file: '-' },
    {
      create: async (assistant) => {
        const { status, body, text, headers } = await user.post<Assistant>('/assistants', assistant);
        if (status !== 200) throw new Error(text);
        expect(headers.get('x-ignored-fields')).toBeNull();
        expect(headers.get('x-template-unknown')).toBeNull();
        ids.push(body.id);
        return body;
      },
      print: (line) => void lines.push(line),
      printError: (line) => void lines.push(line),
      env: {},
      stdin: (async function* () {
        yield JSON.stringify(document);
      })(),
    },
  );
  return { code, ids, lines };
}

describe('voice-assistants import', () => {
  test.each(drawSample(documents, 8, ({ name }) => name))(
    'creates what $name holds',
    async ({ platform, document }) => {
      const { code, ids, lines } = await importInto(platform, document);
      const refused = lines.filter((line) => line.includes(': not imported. It '));
      expect(lines.filter((line) => line.includes('not created'))).toEqual([]);
      expect(code).toBe(refused.length > 0 ? 1 : 0);
      expect(ids.length + refused.length).toBeGreaterThan(0);
    },
  );

  test('gives a worker a prompt with the variables of a call', async () => {
    const { ids } = await importInto('retell', {
      agent_name: 'Reception',
      general_prompt: 'You help {{customer name}}, who calls from {{user_number}}.',
      begin_message: 'Hello {{customer name}}!',
    });
    const variables = { customer_name: 'Ann' };
    const call = { from: '+4930123456' };
    const path = `/assistants/${ids[0]}/runtime-config`;
    const { body } = await worker.post<{ data: RuntimeConfig }>(path, { variables, call });
    expect(body.data.rendered).toMatchObject({
      system_instruction: 'You help Ann, who calls from +4930123456.',
      first_message: 'Hello Ann!',
    });
  });

  test.skipIf(deployed)('reads an agent by API and creates it', async () => {
    const document = { id: 'a1', name: 'Door', model: { messages: [{ role: 'system', content: 'Open.' }] } };
    const api = await startPlatformApi({ 'GET /assistant/a1': { json: document } });
    apis.push(api);
    const lines: string[] = [];
    const code = await importAgents(
      ['vapi'],
      { 'platform-url': api.url, id: ['a1'] },
      {
        create: async (assistant) => (await user.post<Assistant>('/assistants', assistant)).body,
        print: (line) => void lines.push(line),
        printError: (line) => void lines.push(line),
        env: { VAPI_API_KEY: 'key-of-the-test' },
        stdin: (async function* () {})(),
      },
    );
    expect(code).toBe(0);
    const [, id] = /^Door: created (\S+)$/.exec(lines[0] ?? '') ?? [];
    expect((await user.get<Assistant>(`/assistants/${id}`)).body.system_instruction).toBe('Open.');
  });
});
