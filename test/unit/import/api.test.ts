import { afterEach, describe, expect, test } from 'vitest';
import { type Platform, type ReadOptions, readAgents as readAll } from '../../../clients/cli/import/api/agents.ts';
import { importDograh } from '../../../clients/cli/import/dograh.ts';
import { importElevenlabs } from '../../../clients/cli/import/elevenlabs.ts';
import { importRetell } from '../../../clients/cli/import/retell.ts';
import { importVapi } from '../../../clients/cli/import/vapi.ts';
import { type ScriptedAnswer, startPlatformApi } from '../../support/platform-api.ts';

const key = 'key-of-the-test-0000';
/** Reads agents of a list that has nothing to skip. */
const readAgents = (platform: Platform, options: Omit<ReadOptions, 'onSkip'>) =>
  readAll(platform, {
    ...options,
    onSkip: (id) => {
      throw new Error(`Skipped ${id}`);
    },
  });

const apis: Awaited<ReturnType<typeof startPlatformApi>>[] = [];

async function startApi(script: Record<string, ScriptedAnswer | ScriptedAnswer[]>) {
  const api = await startPlatformApi(script);
  apis.push(api);
  return api;
}

afterEach(() => {
  for (const api of apis.splice(0)) api.stop();
});

const listPaths = ({ requests }: Awaited<ReturnType<typeof startPlatformApi>>) =>
  requests.map(({ method, path }) => `${method} ${path}`);

const summarize = ({ assistants }: Awaited<ReturnType<typeof importVapi>>) =>
  assistants.map(({ source, assistant, refusal }) => ({
    source,
    refusal,
    prompt: assistant?.system_instruction,
    tools: assistant?.tools?.map(({ name }) => name),
    servers: assistant?.mcp_servers?.map(({ url }) => url),
  }));

describe('readAgents', () => {
  test('reads all assistants of Vapi with their tools, and names tools that are gone', async () => {
    const model = { provider: 'openai', model: 'gpt-4o', messages: [{ role: 'system', content: 'Help.' }] };
    const api = await startApi({
      'GET /assistant?limit=101': { json: [{ id: 'a-1' }, { id: 'a-2' }] },
      'GET /assistant/a-1': { json: { id: 'a-1', name: 'One', model: { ...model, toolIds: ['t-1', 'gone', '../x'] } } },
      'GET /assistant/a-2': { json: { id: 'a-2', name: 'Two', model } },
      'GET /tool/t-1': {
        json: { id: 't-1', type: 'function', function: { name: 'open_door', description: 'Opens it.' } },
      },
    });
    const result = await importVapi(await readAgents('vapi', { key, url: api.url, ids: [] }));
    expect(summarize(result).map(({ source, tools }) => [source, tools])).toEqual([
      ['One', ['open_door']],
      ['Two', []],
    ]);
    expect(result.assistants[0]?.warnings.map(({ path }) => path)).toContain('model.toolIds');
    expect(listPaths(api)).toEqual([
      'GET /assistant?limit=101',
      'GET /assistant/a-1',
      'GET /tool/t-1',
      'GET /tool/gone',
      'GET /assistant/a-2',
    ]);
    expect(new Set(api.requests.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${key}`]));
  });

  test('reads agents of Retell page by page, each with the version of its language model', async () => {
    const api = await startApi({
      'POST /v2/list-agents?limit=100': { json: { items: [{ agent_id: 'a1' }], has_more: true, pagination_key: 'p2' } },
      'POST /v2/list-agents?limit=100&pagination_key=p2': { json: { items: [{ agent_id: 'a2' }], has_more: false } },
      'GET /get-agent/a1': {
        json: {
          agent_id: 'a1',
          agent_name: 'One',
          voice_id: 'x',
          response_engine: { type: 'retell-llm', llm_id: 'llm_1', version: 3 },
        },
      },
      'GET /get-agent/a2': {
        json: {
          agent_id: 'a2',
          agent_name: 'Flow',
          response_engine: { type: 'conversation-flow', conversation_flow_id: 'f1' },
        },
      },
      'GET /get-retell-llm/llm_1?version=3': { json: { llm_id: 'llm_1', general_prompt: 'Help.' } },
    });
    const result = await importRetell(await readAgents('retell', { key, url: api.url, ids: [] }));
    expect(summarize(result).map(({ source, prompt, refusal }) => [source, prompt ?? refusal])).toEqual([
      ['One', 'Help.'],
      ['Flow', expect.stringContaining('conversation flow')],
    ]);
  });

  test('reads named agents of ElevenLabs with their tools and MCP servers', async () => {
    const prompt = { prompt: 'Help.', tool_ids: ['t1', 't2'], mcp_server_ids: ['m1'] };
    const api = await startApi({
      'GET /v1/convai/agents/a1': { json: { agent_id: 'a1', name: 'One', conversation_config: { agent: { prompt } } } },
      'GET /v1/convai/tools/t1': {
        json: { id: 't1', tool_config: { type: 'client', name: 'open_door', description: 'Opens it.' } },
      },
      'GET /v1/convai/mcp-servers/m1': {
        json: {
          id: 'm1',
          config: { name: 'crm', url: 'https://mcp.example.com/mcp', secret_token: { secret_id: 's1' } },
        },
      },
    });
    const result = await importElevenlabs(await readAgents('elevenlabs', { key, url: `${api.url}/`, ids: ['a1'] }));
    expect(summarize(result)).toEqual([
      {
        source: 'One',
        refusal: undefined,
        prompt: 'Help.',
        tools: ['open_door'],
        servers: ['https://mcp.example.com/mcp'],
      },
    ]);
    expect(result.assistants[0]?.warnings.map(({ path }) => path)).toContain(
      'conversation_config.agent.prompt.tool_ids',
    );
    expect(api.requests[0]?.headers['xi-api-key']).toBe(key);
  });

  test('reads workflows of Dograh with the tools of their nodes', async () => {
    const uuid = '11111111-0000-4000-8000-000000000001';
    const nodes = [{ id: '1', type: 'startCall', data: { name: 'Start', prompt: 'Help.', tool_uuids: [uuid] } }];
    const api = await startApi({
      'GET /api/v1/workflow/fetch': { json: [{ id: 7, name: 'One' }] },
      'GET /api/v1/workflow/fetch/7': { json: { id: 7, name: 'One', workflow_definition: { nodes, edges: [] } } },
      [`GET /api/v1/tools/${uuid}`]: {
        json: { tool_uuid: uuid, name: 'bye', definition: { type: 'end_call', config: { messageType: 'none' } } },
      },
    });
    const result = await importDograh(await readAgents('dograh', { key, url: api.url, ids: [] }));
    expect(summarize(result).map(({ source, tools }) => [source, tools])).toEqual([['One', ['bye']]]);
    expect(api.requests[0]?.headers['x-api-key']).toBe(key);
  });

  test('follows any cursor to the end of a list, and names what has no proper id', async () => {
    const list = 'POST /v2/list-agents?limit=100';
    const api = await startApi({
      [list]: { json: { items: [{ agent_id: 'a1' }, { agent_id: 'a/2' }], has_more: true, pagination_key: 'abc==' } },
      [`${list}&pagination_key=abc%3D%3D`]: { json: { items: [{ agent_id: 'a3' }, {}, { agent_id: 1.5 }] } },
      'GET /get-agent/a1': { json: { agent_id: 'a1' } },
      'GET /get-agent/a3': { json: { agent_id: 'a3' } },
    });
    const skipped: string[] = [];
    const agents = await readAll('retell', { key, url: api.url, ids: [], onSkip: (id) => skipped.push(id) });
    expect(agents).toEqual([{ agent_id: 'a1' }, { agent_id: 'a3' }]);
    expect(skipped).toEqual(['a/2', 'an agent without an id', '1.5']);
  });

  test.each<[platform: Platform, list: string, page: object]>([
    ['retell', 'POST /v2/list-agents?limit=100', { items: [{ agent_id: 'a1' }], has_more: true }],
    [
      'elevenlabs',
      'GET /v1/convai/agents?page_size=100',
      { agents: [{ agent_id: 'a1' }], has_more: true, next_cursor: 'x' },
    ],
  ])('reads none of a list of %s that ends before its end', async (platform, list, json) => {
    const api = await startApi({ [list]: { json }, [`${list}&cursor=x`]: { json } });
    await expect(readAgents(platform, { key, url: api.url, ids: [] })).rejects.toThrow('has more agents than it lists');
  });

  test('waits as long as the API asks for, and gives up when it stays busy', async () => {
    const busy: ScriptedAnswer = { status: 429, headers: { 'retry-after': '0' } };
    const api = await startApi({
      'GET /assistant/a1': [busy, busy, { json: { id: 'a1' } }],
      'GET /assistant/a2': busy,
      'GET /assistant/a3': { status: 429, headers: { 'retry-after': '3600' } },
    });
    const read = (id: string) => readAgents('vapi', { key, url: api.url, ids: [id] });
    expect(await read('a1')).toEqual([{ id: 'a1' }]);
    await expect(read('a2')).rejects.toThrow('Vapi is busy');
    await expect(read('a3')).rejects.toThrow('Vapi is busy');
    expect(api.requests.length).toBe(3 + 4 + 1);
  });

  test('sends the key to no other host when the API redirects', async () => {
    const other = await startApi({ 'GET /assistant/a1': { json: { id: 'a1' } } });
    const api = await startApi({
      'GET /assistant/a1': { status: 307, headers: { location: `${other.url}/assistant/a1` } },
    });
    await expect(readAgents('vapi', { key, url: api.url, ids: ['a1'] })).rejects.toThrow(/redirects.*--platform-url/);
    expect(other.requests).toEqual([]);
  });

  test.each<[what: string, ScriptedAnswer, message: string]>([
    ['refuses the key', { status: 401, body: `{"message": "bad key ${key}"}` }, 'Vapi refuses the key'],
    ['has no such agent', { status: 404 }, 'Vapi has no such agent'],
    ['is broken', { status: 503, body: '<html>' }, 'Vapi answers with status 503'],
    ['answers no JSON', { status: 200, body: '<html>' }, 'answers no JSON: is --platform-url'],
    ['answers 11 MB', { status: 200, body: ' '.repeat(11 * 1024 * 1024) }, 'more than 10 MB'],
    ['breaks off', { cut: true }, 'Cannot reach'],
  ])('says what to do if the API %s, without the key', async (_, answer, message) => {
    const api = await startApi({ 'GET /assistant/a1': answer });
    const failure = await readAgents('vapi', { key, url: api.url, ids: ['a1'] }).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(Error);
    expect((failure as Error).message).toContain(message);
    expect((failure as Error).message).not.toContain(key);
  });

  test.each([
    ['http://example.com', ['a1'], key, 'https://'],
    ['https://user@example.com', ['a1'], key, 'no user name'],
    ['not an address', ['a1'], key, 'https://'],
    ['https://127.0.0.1', ['../../v1/keys'], key, 'An id has'],
    ['https://127.0.0.1', ['a1'], 'two words', 'odd character'],
    ['https://127.0.0.1', ['a1'], 'line\nbreak', 'odd character'],
  ])('requests nothing from %s for %j with the key %j', async (url, ids, oddKey, message) => {
    await expect(readAgents('vapi', { key: oddKey, url, ids })).rejects.toThrow(message);
  });

  test('says so if nothing listens', async () => {
    const api = await startApi({});
    api.stop();
    await expect(readAgents('vapi', { key, url: api.url, ids: ['a1'] })).rejects.toThrow(
      /Cannot reach 127.*ECONNREFUSED/,
    );
  });

  test('reads at most 100 agents, and says so before it reads one', async () => {
    const api = await startApi({
      'GET /assistant?limit=101': { json: Array.from({ length: 101 }, (_, i) => ({ id: `a${i}` })) },
    });
    await expect(readAgents('vapi', { key, url: api.url, ids: [] })).rejects.toThrow('more than 100 agents');
    expect(api.requests.length).toBe(1);
  });

  test.each(['vapi', 'retell', 'elevenlabs', 'dograh'] as const)(
    'refuses a list of %s that is none',
    async (platform) => {
      for (const json of [null, 7, 'text', {}, { items: 7, agents: {} }]) {
        const api = await startApi({
          'GET /assistant?limit=101': { json },
          'POST /v2/list-agents?limit=100': { json },
          'GET /v1/convai/agents?page_size=100': { json },
          'GET /api/v1/workflow/fetch': { json },
        });
        await expect(readAgents(platform, { key, url: api.url, ids: [] })).rejects.toThrow(
          'no list of agents: is --platform-url',
        );
      }
    },
  );
});
