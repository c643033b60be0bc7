import { isRecord } from '../source.ts';
import { type ApiAccess, ApiFailure, requestJson } from './request.ts';

/** Platforms to import agents from. */
export const platforms = ['vapi', 'retell', 'elevenlabs', 'dograh'] as const;

export type Platform = (typeof platforms)[number];

interface ListOptions {
  max: number;
  /** Called with each id that no path can hold. */
  onSkip(id: string): void;
}

/** Address, key and paths of a platform's API. */
interface Api {
  vendor: string;
  baseUrl: string;
  /** Environment variable that holds the key. */
  variable: string;
  toHeaders(key: string): Record<string, string>;
  /** Lists the ids of all agents, at most `max` and those of one more page. */
  listIds(access: ApiAccess, options: ListOptions): Promise<string[]>;
  /** Reads an agent with what belongs to it, as the importer expects it. */
  read(access: ApiAccess, id: string): Promise<unknown>;
}

const maxAgents = 100;
const maxTools = 64;

/** Throws ApiFailure unless a text may be part of a path. */
export function checkId(id: string): string {
  if (/^[A-Za-z0-9_-]{1,128}$/.test(id)) return id;
  throw new ApiFailure('An id has up to 128 letters, digits, _ and -');
}

const isId = (id: unknown): id is string => typeof id === 'string' && /^[A-Za-z0-9_-]{1,128}$/.test(id);

/** Returns the ids in a list of agents that a path can hold. Throws ApiFailure if it is no list. */
function pickIds(list: unknown, key: string, vendor: string, { onSkip }: ListOptions): string[] {
  if (!Array.isArray(list)) throw new ApiFailure(`${vendor} answers no list of agents: is --platform-url right?`);
  return list.flatMap((one) => {
    const found = isRecord(one) ? one[key] : undefined;
    const id = typeof found === 'number' ? String(found) : found;
    if (isId(id)) return [id];
    onSkip(typeof id === 'string' ? id.slice(0, 128) : 'an agent without an id');
    return [];
  });
}

/** A page of a list of agents, and what names the next one. */
interface Page {
  ids: string[];
  hasMore: unknown;
  next: unknown;
}

/** Lists ids page by page. Throws ApiFailure if there is a next page that cannot be requested. */
async function listPages(vendor: string, max: number, readPage: (cursor?: string) => Promise<Page>): Promise<string[]> {
  const ids: string[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const { ids: found, hasMore, next } = await readPage(cursor);
    ids.push(...found);
    if (!hasMore || ids.length > max) return ids;
    if (typeof next !== 'string' || next === '' || seen.has(next))
      throw new ApiFailure(`${vendor} has more agents than it lists: name those that you want with --id`);
    seen.add(next);
    cursor = next;
  }
}

/** Reads what an agent refers to. Leaves out what is gone, which the import then names. */
async function readAll<T>(ids: unknown, read: (id: string) => Promise<T>): Promise<{ found: T[]; missing: unknown[] }> {
  const found: T[] = [];
  const missing: unknown[] = [];
  for (const id of Array.isArray(ids) ? ids : []) {
    if (!isId(id) || found.length >= maxTools) missing.push(id);
    else
      try {
        found.push(await read(id));
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.status !== 404) throw error;
        missing.push(id);
      }
  }
  return { found, missing };
}

const withBearer = (key: string) => ({ authorization: `Bearer ${key}` });

const vapi: Api = {
  vendor: 'Vapi',
  baseUrl: 'https://api.vapi.ai',
  variable: 'VAPI_API_KEY',
  toHeaders: withBearer,
  listIds: async (access, options) =>
    pickIds(await requestJson(access, `/assistant?limit=${options.max + 1}`), 'id', 'Vapi', options),
  read: async (access, id) => {
    const assistant = await requestJson(access, `/assistant/${id}`);
    if (!isRecord(assistant) || !isRecord(assistant.model)) return assistant;
    const { model } = assistant;
    const { found, missing } = await readAll(model.toolIds, (tool) => requestJson(access, `/tool/${tool}`));
    const tools = [...(Array.isArray(model.tools) ? model.tools : []), ...found];
    return { ...assistant, model: { ...model, tools, toolIds: missing } };
  },
};

const retell: Api = {
  vendor: 'Retell',
  baseUrl: 'https://api.retellai.com',
  variable: 'RETELL_API_KEY',
  toHeaders: withBearer,
  listIds: (access, options) =>
    listPages('Retell', options.max, async (cursor) => {
      const page = cursor === undefined ? '' : `&pagination_key=${encodeURIComponent(cursor)}`;
      const answer = await requestJson(access, `/v2/list-agents?limit=100${page}`, {});
      const { items, has_more: hasMore, pagination_key: next } = isRecord(answer) ? answer : {};
      return { ids: pickIds(items, 'agent_id', 'Retell', options), hasMore, next };
    }),
  read: async (access, id) => {
    const agent = await requestJson(access, `/get-agent/${id}`);
    if (!isRecord(agent) || !isRecord(agent.response_engine)) return agent;
    const { llm_id, version } = agent.response_engine;
    if (!isId(llm_id)) return agent;
    const query = Number.isInteger(version) ? `?version=${version}` : '';
    return { ...agent, retellLlmData: await requestJson(access, `/get-retell-llm/${llm_id}${query}`) };
  },
};

const elevenlabs: Api = {
  vendor: 'ElevenLabs',
  baseUrl: 'https://api.elevenlabs.io',
  variable: 'ELEVENLABS_API_KEY',
  toHeaders: (key) => ({ 'xi-api-key': key }),
  listIds: (access, options) =>
    listPages('ElevenLabs', options.max, async (cursor) => {
      const page = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const answer = await requestJson(access, `/v1/convai/agents?page_size=100${page}`);
      const { agents, has_more: hasMore, next_cursor: next } = isRecord(answer) ? answer : {};
      return { ids: pickIds(agents, 'agent_id', 'ElevenLabs', options), hasMore, next };
    }),
  read: async (access, id) => {
    const agent = await requestJson(access, `/v1/convai/agents/${id}`);
    const config = isRecord(agent) ? agent.conversation_config : undefined;
    const own = isRecord(config) ? config.agent : undefined;
    const prompt = isRecord(own) ? own.prompt : undefined;
    if (!isRecord(agent) || !isRecord(config) || !isRecord(own) || !isRecord(prompt)) return agent;
    const isExpanded = Array.isArray(prompt.tools) && prompt.tools.length > 0;
    const tools = await readAll(isExpanded ? [] : prompt.tool_ids, (tool) =>
      requestJson(access, `/v1/convai/tools/${tool}`),
    );
    const servers = await readAll(prompt.mcp_server_ids, (one) => requestJson(access, `/v1/convai/mcp-servers/${one}`));
    const whole = {
      ...prompt,
      ...(isExpanded ? {} : { tools: tools.found, tool_ids: tools.missing }),
      mcp_servers: servers.found,
      mcp_server_ids: servers.missing,
    };
    return { ...agent, conversation_config: { ...config, agent: { ...own, prompt: whole } } };
  },
};

const dograh: Api = {
  vendor: 'Dograh',
  baseUrl: 'https://app.dograh.com',
  variable: 'DOGRAH_API_KEY',
  toHeaders: (key) => ({ 'x-api-key': key }),
  listIds: async (access, options) =>
    pickIds(await requestJson(access, '/api/v1/workflow/fetch'), 'id', 'Dograh', options),
  read: async (access, id) => {
    const workflow = await requestJson(access, `/api/v1/workflow/fetch/${id}`);
    const definition = isRecord(workflow) ? workflow.workflow_definition : undefined;
    const nodes = isRecord(definition) && Array.isArray(definition.nodes) ? definition.nodes : [];
    const ids = nodes.flatMap((node) => (isRecord(node) && isRecord(node.data) ? (node.data.tool_uuids ?? []) : []));
    const { found } = await readAll([...new Set(ids)], (tool) => requestJson(access, `/api/v1/tools/${tool}`));
    return isRecord(workflow) ? { ...workflow, tools: found } : workflow;
  },
};

const apis: Record<Platform, Api> = { vapi, retell, elevenlabs, dograh };

/** Returns the environment variable that holds the key of a platform's API. */
export const getKeyVariable = (platform: Platform): string => apis[platform].variable;

export interface ReadOptions {
  key: string;
  url: string | undefined;
  /** Ids of the agents to read. Empty for all. */
  ids: string[];
  /** Called with each listed id that is none, so that its agent is not read. */
  onSkip(id: string): void;
}

/** Reads agents from a platform's API: those with some ids, or all. Throws ApiFailure. */
export async function readAgents(platform: Platform, { key, url, ids, onSkip }: ReadOptions): Promise<unknown[]> {
  const { vendor, baseUrl, toHeaders, listIds, read } = apis[platform];
  if (!/^[\x21-\x7e]{1,4096}$/.test(key))
    throw new ApiFailure(`The key of ${vendor} has a space or another odd character`);
  const access: ApiAccess = { vendor, baseUrl: url ?? baseUrl, headers: toHeaders(key) };
  const wanted = ids.length > 0 ? ids.map(checkId) : await listIds(access, { max: maxAgents, onSkip });
  if (wanted.length > maxAgents)
    throw new ApiFailure(
      `${vendor} has more than ${maxAgents} agents, and at most ${maxAgents} are read at once: name some with --id`,
    );
  const agents: unknown[] = [];
  for (const id of wanted) agents.push(await read(access, id));
  return agents;
}
