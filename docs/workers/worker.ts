/**
 * Worker for LiveKit Agents 1.x on Node. Runs calls as the assistant is configured, and saves their logs.
 *
 *     npm install @livekit/rtc-node @livekit/agents@1.7.1 \
 *       @livekit/agents-plugin-{anthropic,assemblyai,cartesia,deepgram,elevenlabs}@1.7.1 \
 *       @livekit/agents-plugin-{google,inworld,mistralai,openai,rime,soniox}@1.7.1
 *     node worker.ts start
 *
 * Needs Node 22.18. Install the plugins of the vendors that you use, all with the same version. Set VOICE_ASSISTANTS_URL,
 * VOICE_ASSISTANTS_KEY, ASSISTANT_ID and LiveKit's variables. The first part is the API client, which needs no packages.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** URL and key of the API, and the folder for data that must survive this process. */
export interface Api {
  url: string;
  key: string;
  folder: string;
}

export type Role = 'voice' | 'llm' | 'transcriber';

/** A vendor's key and canonical name. */
export interface Credential {
  service_type: string;
  api_key: string;
}

/** Settings of a role: common ones and the vendor's. */
export type Settings = Record<string, unknown>;

/** Values of the assistant's variables for a call, and facts about the call. */
export interface CallValues {
  call: { room_name?: string; participant_name?: string; from?: string; to?: string; direction?: string };
  variables: Record<string, string>;
}

export interface Tool {
  type: string;
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  say: { start: string | null; failure: string | null };
  limit: number | null;
  unavailable: object | null;
}

interface Texts {
  system_instruction: string;
  first_message: string | null;
}

/** Runtime configuration: the fields that this worker uses. */
export interface Configuration {
  assistant: {
    id: string;
    variables?: object | null;
    live?: { versions: object[] } | null;
    system_instruction: string;
    first_message: string | null;
    voice: Settings;
    llm: Settings;
    transcriber: Settings;
  };
  credentials: Record<Role, Credential | null>;
  reasons: Record<Role, { msg: string } | null>;
  rendered?: Texts | null;
  tools?: Tool[];
  /** Version that the call gets, null for the draft. */
  version?: number | null;
  expires_at: string;
  /** Set by `startCall`. */
  values?: CallValues;
}

export interface CallLog {
  assistant_id: string;
  room_name: string;
  started_at: string;
  ended_at: string;
  session_duration: number;
  participant_name?: string;
  direction?: string;
  assistant_version?: number | null;
  end_reason?: string;
  /** Use of each model. */
  usage?: object[];
  transcript: object[];
}

export interface Session {
  session_id: string;
}

/** The API refused the request. A retry gets the same response. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, answer: string) {
    super(`${status}: ${answer}`);
    this.status = status;
  }
}

/** The API did not answer, or with a temporary error. A retry may succeed. */
export class Unavailable extends Error {}

function variable(name: string, what: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name} to ${what}`);
  return value;
}

export const fromEnvironment = (): Api => ({
  url: variable('VOICE_ASSISTANTS_URL', 'the address of the API').replace(/\/$/, ''),
  key: variable('VOICE_ASSISTANTS_KEY', 'an API key with the scopes runtime and logs'),
  folder: process.env.VOICE_ASSISTANTS_FOLDER ?? '.voice-assistants',
});

// Before a call

/**
 * Returns the id of the assistant that takes a call: `assistant_id` from the metadata of its dispatch (JSON), else the entry
 * for the dialled number in ASSISTANTS_BY_NUMBER (a JSON object), else ASSISTANT_ID. Throws if none is set.
 */
export function chooseAssistant(metadata: string, number?: string): string {
  const { assistant_id } = (parse(metadata) ?? {}) as { assistant_id?: string };
  const byNumber = JSON.parse(process.env.ASSISTANTS_BY_NUMBER || '{}');
  const chosen = assistant_id || (number && byNumber[number]) || process.env.ASSISTANT_ID;
  if (chosen) return chosen;
  throw new Error(
    `No assistant for this call (dialled number: ${number}). Dispatch it with the metadata ` +
      '{"assistant_id": "…"}, add the number to ASSISTANTS_BY_NUMBER, or set ASSISTANT_ID',
  );
}

/**
 * Returns `variables` from the metadata of the dispatch (JSON), as text. Skips those that are null. Numbers, booleans and objects become
 * JSON. Empty if there are none.
 */
export function chooseVariables(metadata: string): Record<string, string> {
  const { variables } = (parse(metadata) ?? {}) as { variables?: unknown };
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) return {};
  const given = Object.entries(variables).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** Returns `version` from the metadata of the dispatch (JSON), else `live`: the one that its room gets. */
export function chooseVersion(metadata: string): string {
  const { version } = (parse(metadata) ?? {}) as { version?: unknown };
  return String(version ?? 'live');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A cached configuration, in the format of the Python workers. Times are in seconds. */
interface Copy {
  etag: string | null;
  lease: number;
  until: number;
  read_at: number;
  configuration: Configuration;
}

const now = () => Date.now() / 1000;

/** Cached configurations, used if the folder is not writable. */
const copies = new Map<string, Copy>();

/**
 * Returns the assistant's configuration, with its vendor keys.
 *
 * Uses the cached copy during its lease, then revalidates it. If the API is down, an expired copy is used. If the API
 * refuses (key revoked, assistant deleted), the copy is deleted.
 *
 * Throws Refused, or Unavailable if there is no copy.
 */
export async function load(api: Api, assistantId: string): Promise<Configuration> {
  const name = encodeURIComponent(assistantId);
  const path = join(api.folder, 'configurations', `${name}.json`);
  // Disk first: another process may have a newer copy. LiveKit runs each call in its own process.
  const copy = (await readCopy(path)) ?? copies.get(name);
  if (copy && now() < copy.until) return copy.configuration;

  let answer: Answer;
  try {
    answer = await ask(api, `/assistants/${name}/runtime-config?tools=remote`, {
      headers: copy?.etag ? { 'if-none-match': copy.etag } : {},
      // A caller is waiting: with a copy, do not retry.
      ...(copy ? { tries: 1, timeoutMs: 3_000 } : {}),
    });
  } catch (error) {
    if (error instanceof Unavailable && copy) {
      const readAt = new Date(copy.read_at * 1000).toISOString();
      console.warn(`The API cannot be reached (${error.message}): using the configuration of ${readAt}`);
      return copy.configuration;
    }
    if (error instanceof Refused) {
      copies.delete(name);
      await rm(path, { force: true });
    }
    throw error;
  }

  const renewed = copy && answer.status === 304 ? renewedCopy(copy) : newCopy(answer);
  copies.set(name, renewed);
  await keep(path, JSON.stringify(renewed));
  return renewed.configuration;
}

/** Renews the lease for the same time: a 304 has no body with a new end. */
function renewedCopy(copy: Copy): Copy {
  const read_at = now();
  return { ...copy, until: read_at + copy.lease, read_at };
}

function newCopy({ etag, text }: Answer): Copy {
  const read_at = now();
  const { data: configuration } = JSON.parse(text) as { data: Configuration };
  const lease = Math.max(0, Date.parse(configuration.expires_at) / 1000 - read_at);
  return { etag, lease, until: read_at + lease, read_at, configuration };
}

/**
 * Returns the assistant's configuration for one call: the version of its room, its texts rendered for it. Asks the API only if the
 * assistant has variables, or several live versions. If the API is down, the texts have the defaults of the variables, and the version
 * is the one that most calls get. Another `version` (`draft`, or a number) is never cached. Throws Refused, for example if a required
 * variable is missing, or Unavailable if there is no cached copy.
 */
export async function startCall(
  api: Api,
  assistantId: string,
  values: CallValues,
  version = 'live',
): Promise<Configuration> {
  const request = async (query: string, body: object, limits: Pick<Asked, 'tries' | 'timeoutMs'> = {}) => {
    const path = `/assistants/${encodeURIComponent(assistantId)}/runtime-config?tools=remote${query}`;
    const { text } = await ask(api, path, { ...asJson(body), ...limits });
    return { ...(JSON.parse(text) as { data: Configuration }).data, values };
  };
  if (version !== 'live') return request(`&version=${encodeURIComponent(version)}`, values);
  const configuration = await load(api, assistantId);
  const { variables, live } = configuration.assistant;
  if (!variables && (live?.versions ?? []).length < 2) return { ...configuration, values };
  // Without variables, only the room decides: other values, which the API might refuse, must not cost a call.
  const sent = variables ? values : { call: { room_name: values.call.room_name } };
  try {
    // A caller is waiting, and there is a copy: do not retry.
    return await request('', sent, { tries: 1, timeoutMs: 3_000 });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    console.warn(`The API cannot be reached (${error.message}): this call gets what is cached`);
    return { ...configuration, values };
  }
}

/** Returns the texts, with the values of the variables if they could be rendered. */
export const getTexts = ({ rendered, assistant }: Configuration): Texts => rendered ?? assistant;

/** Returns the credential of a role. Throws with the API's reason if there is none. */
export function getCredential({ credentials, reasons }: Configuration, role: Role): Credential {
  const credential = credentials[role];
  if (!credential) throw new Error(`No key for the ${role}: ${reasons[role]?.msg}`);
  return credential;
}

// Vendors

/** A vendor's class in a LiveKit plugin. */
interface Vendor {
  plugin: string;
  class: 'STT' | 'STTv2' | 'LLM' | 'TTS';
  /** Renames or drops settings. Others become options of the same name in camelCase. */
  fit?: (settings: Settings) => Settings;
}

const noLanguage = ({ language: _, ...settings }: Settings) => settings;

/** Moves the voice settings of ElevenLabs into their own object. */
const elevenLabsVoice = ({
  voice,
  stability,
  similarityBoost,
  style,
  speed,
  useSpeakerBoost,
  ...settings
}: Settings) => ({
  ...settings,
  voiceId: voice,
  voiceSettings: [stability, similarityBoost, style, speed, useSpeakerBoost].some((one) => one !== undefined)
    ? {
        stability: stability ?? 0.5,
        similarity_boost: similarityBoost ?? 0.75,
        ...given({ style, speed, use_speaker_boost: useSpeakerBoost }),
      }
    : undefined,
});

const groq = (settings: Settings) => ({ ...settings, baseURL: 'https://api.groq.com/openai/v1' });
const xai = (settings: Settings) => ({ ...settings, baseURL: 'https://api.x.ai/v1' });

/** Supported vendors for each role. Add yours. */
export const vendors: Record<Role, Record<string, Vendor>> = {
  transcriber: {
    assemblyai: {
      plugin: 'assemblyai',
      class: 'STT',
      fit: ({ model, language: _, ...settings }) => ({ ...settings, speechModel: model }),
    },
    cartesia: { plugin: 'cartesia', class: 'STT' },
    deepgram: { plugin: 'deepgram', class: 'STT' },
    'deepgram/flux-general-en': { plugin: 'deepgram', class: 'STTv2', fit: noLanguage },
    elevenlabs: {
      plugin: 'elevenlabs',
      class: 'STT',
      fit: ({ language, ...settings }) => ({ ...settings, languageCode: language }),
    },
    groq: { plugin: 'openai', class: 'STT', fit: (settings) => ({ ...groq(settings), useRealtime: false }) },
    openai: { plugin: 'openai', class: 'STT' },
    soniox: {
      plugin: 'soniox',
      class: 'STT',
      fit: ({ language, ...settings }) => ({ ...settings, languageHints: language && [language] }),
    },
  },
  llm: {
    anthropic: { plugin: 'anthropic', class: 'LLM' },
    google: { plugin: 'google', class: 'LLM' },
    groq: { plugin: 'openai', class: 'LLM', fit: groq },
    mistralai: { plugin: 'mistralai', class: 'LLM' },
    openai: { plugin: 'openai', class: 'LLM' },
    xai: { plugin: 'openai', class: 'LLM', fit: xai },
  },
  voice: {
    cartesia: { plugin: 'cartesia', class: 'TTS' },
    deepgram: {
      plugin: 'deepgram',
      class: 'TTS',
      fit: ({ voice, model: _model, language: _language, ...settings }) => ({ ...settings, model: voice }),
    },
    elevenlabs: { plugin: 'elevenlabs', class: 'TTS', fit: elevenLabsVoice },
    inworld: { plugin: 'inworld', class: 'TTS' },
    openai: { plugin: 'openai', class: 'TTS', fit: noLanguage },
    rime: {
      plugin: 'rime',
      class: 'TTS',
      fit: ({ voice, model, language: _, ...settings }) => ({ ...settings, speaker: voice, modelId: model }),
    },
  },
};

/** Options that decide where a key is sent. Never taken from the settings of an assistant. */
const connection = /url|http|client|location|api_?key|secret|credential/i;

const commonNames: Record<string, string> = { tts_model: 'model', stt_model: 'model', voice_id: 'voice' };
const ours = ['tts_provider', 'llm_provider', 'stt_provider', 'credential'];

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Drops unset values, so that the vendor's default applies. */
const given = (settings: Settings): Settings =>
  Object.fromEntries(
    Object.entries(settings).filter(([, value]) => ![null, undefined, 'default'].includes(value as null)),
  );

/**
 * Returns the vendor of a role, and its options with the API key. An entry `service/model` takes precedence over
 * `service`. Throws if the worker does not support the vendor, or there is no key.
 */
export function chooseVendor(configuration: Configuration, role: Role): { vendor: Vendor; options: Settings } {
  const { service_type, api_key } = getCredential(configuration, role);
  const settings = Object.fromEntries(
    Object.entries(given(configuration.assistant[role]))
      .filter(([name]) => !ours.includes(name) && !connection.test(name))
      .map(([name, value]) => [commonNames[name] ?? camelCase(name), value]),
  );
  const known = vendors[role];
  const vendor = known[`${service_type}/${settings.model}`] ?? known[service_type];
  if (!vendor) {
    const supported = Object.keys(known).filter((name) => !name.includes('/'));
    throw new Error(`This worker does not support "${service_type}" as ${role}. It supports ${supported.join(', ')}`);
  }
  return { vendor, options: { ...given(vendor.fit?.(settings) ?? settings), apiKey: api_key } };
}

// During a call

/** Returns the tools that can be called. */
export const listTools = ({ tools = [] }: Configuration): Tool[] => tools.filter((tool) => !tool.unavailable);

/**
 * Runs a tool of type `search` or `http` by the API, which has its key, and returns what the model should read. A failure is an answer
 * too: the model then knows what went wrong. Never retried, since it may book something.
 */
export async function callTool(
  api: Api,
  { assistant, version, values }: Configuration,
  tool: Tool,
  given: object,
  callId?: string,
): Promise<object> {
  const path = `/assistants/${encodeURIComponent(assistant.id)}`;
  // The version of this call, whatever is published meanwhile.
  const called = `/tools/${encodeURIComponent(tool.name)}/call?version=${version ?? 'draft'}`;
  const [url, body] =
    tool.type === 'search'
      ? [`${path}/search`, { ...given, limit: tool.limit }]
      : [path + called, { ...values, arguments: given, call_id: callId }];
  let result: { error?: string | null };
  try {
    const { text } = await ask(api, url, { ...asJson(body), tries: 1, timeoutMs: 15_000 });
    result = (JSON.parse(text) as { data: object }).data;
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unavailable)) throw error;
    result = { error: error.message };
  }
  return result.error && tool.say.failure ? { error: result.error, say: tool.say.failure } : result;
}

// After a call

/** Returns the log of a call that ended at `endedAt` (default: now). Items keep the framework's format. */
export function callLog(
  assistantId: string,
  roomName: string,
  startedAt: Date,
  transcript: object[],
  endedAt = new Date(),
): CallLog {
  return {
    assistant_id: assistantId,
    room_name: roomName,
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    session_duration: (endedAt.getTime() - startedAt.getTime()) / 1000,
    transcript,
  };
}

/**
 * Saves a call and returns its session, or undefined if it could not be sent. It then waits in the folder.
 * The call is written to disk first, so that it survives a crash.
 */
export async function saveCall(api: Api, log: CallLog): Promise<Session | undefined> {
  const body = JSON.stringify(log);
  const path = join(api.folder, 'calls', `${createHash('sha256').update(body).digest('hex')}.json`);
  await keep(path, body);
  const session = await send(api, path, body);
  if (session) await sendWaiting(api);
  return session;
}

/** Sends calls that are waiting in the folder. Run it when the worker starts. */
export async function sendWaiting(api: Api): Promise<void> {
  const folder = join(api.folder, 'calls');
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.endsWith('.json')).toSorted()) {
    const path = join(folder, name);
    const body = await readFile(path, 'utf8').catch(() => undefined);
    if (body === undefined) continue; // another process has sent it
    if (!(await send(api, path, body)) && existsSync(path)) return; // the API is down: the others would fail too
  }
}

async function send(api: Api, path: string, body: string): Promise<Session | undefined> {
  try {
    // The key is the hash of the call, so that a repeat from any process is saved once.
    const headers = { 'content-type': 'application/json', 'idempotency-key': basename(path, '.json') };
    const { text } = await ask(api, '/logs/call-logs', { method: 'POST', headers, body });
    await rm(path, { force: true });
    return (JSON.parse(text) as { data: Session }).data;
  } catch (error) {
    if (error instanceof Unavailable) console.warn(`A call waits in ${path}: ${error.message}`);
    else if (error instanceof Refused) {
      console.error(`A call was refused and stays in ${dirname(path)}: ${error.message}`);
      // After 401 or 403 a new key may work. Other refusals need a person.
      if (![401, 403].includes(error.status)) await rename(path, path.replace(/json$/, 'refused')).catch(() => {});
    } else throw error;
    return undefined;
  }
}

// Requests and files

interface Answer {
  status: number;
  etag: string | null;
  text: string;
}

interface Asked {
  method?: string;
  headers: Record<string, string>;
  body?: string;
  tries?: number;
  timeoutMs?: number;
}

/** Returns the options of a POST with a JSON body. */
const asJson = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Sends a request and returns the response. Retries temporary errors. Throws Refused or Unavailable. */
async function ask(
  { url, key }: Api,
  path: string,
  { tries = 4, timeoutMs = 10_000, headers, ...request }: Asked,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    let retryAfter = 0;
    let reason: string;
    try {
      const answer = await fetch(url + path, {
        ...request,
        headers: { authorization: `Bearer ${key}`, ...headers },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { status } = answer;
      const text = await answer.text();
      if (answer.ok || status === 304) return { status, etag: answer.headers.get('etag'), text };
      const said = answer.headers.get('retry-after');
      if (!(status === 429 || status >= 500 || (status === 409 && said))) throw new Refused(status, text);
      reason = `status ${status}`;
      retryAfter = Number(said) || 0;
    } catch (error) {
      if (error instanceof Refused) throw error;
      const { cause = error } = error as Error; // the cause of `fetch failed`: refused, reset, timed out, cut short
      reason = String(cause);
    }
    // Do not wait longer at the end of a call: the log is on disk.
    if (attempt === tries || retryAfter > 10) throw new Unavailable(reason);
    // Exponential backoff with jitter.
    await sleep(1000 * (retryAfter + Math.random() * 2 ** (attempt - 1)));
  }
}

/** Writes a file atomically, readable only by this user. Logs failures instead of throwing them. */
async function keep(path: string, content: string): Promise<void> {
  try {
    await mkdir(dirname(path), { mode: 0o700, recursive: true });
    const part = `${path}.${randomUUID()}.part`;
    await writeFile(part, content, { mode: 0o600, flush: true });
    await rename(part, path);
  } catch (error) {
    console.error(`${path} cannot be written: ${error}`);
  }
}

const readCopy = (path: string): Promise<Copy | undefined> =>
  readFile(path, 'utf8')
    .then((text) => JSON.parse(text))
    .catch(() => undefined);

// LiveKit. Its packages are imported lazily, so that the code above runs and is tested without them.

type Made = new (options: object) => object;

/** The parts of LiveKit used here. In a project that has its packages, import its types instead. */
interface LiveKit {
  voice: {
    Agent: Made;
    AgentSession: new (
      options: object,
    ) => {
      history: { toJSON(options: { excludeTimestamp: boolean }): { items: object[] } };
      usage: { modelUsage: object[] };
      start(options: object): Promise<void>;
      say(text: string): unknown;
      shutdown(): void;
      on(event: 'close', listener: (event: { reason: string }) => void): unknown;
    };
  };
  llm: { tool(options: object): object };
  ServerOptions: Made;
  cli: { runApp(options: object): void };
}

/** A caller in a room of LiveKit. */
interface Caller {
  name?: string;
  attributes: Record<string, string>;
}

interface JobContext {
  job: { metadata: string };
  room: { name?: string };
  connect(): Promise<void>;
  waitForParticipant(): Promise<Caller>;
  deleteRoom(): Promise<void>;
  addShutdownCallback(callback: () => Promise<void>): void;
  shutdown(reason: string): void;
}

const livekit = async (): Promise<LiveKit> => imported('@livekit/agents');
const plugin = async (name: string): Promise<Record<Vendor['class'], Made>> =>
  imported(`@livekit/agents-plugin-${name}`);
const imported = async (name: string) => import(name);

/** Builds the vendor of a role with the assistant's settings. */
async function build(configuration: Configuration, role: Role): Promise<object> {
  const { vendor, options } = chooseVendor(configuration, role);
  const { [vendor.class]: Class } = await plugin(vendor.plugin);
  return new Class(options);
}

/** Imports the installed packages before the first call, since that is slow. */
async function prewarm(): Promise<void> {
  const plugins = new Set(Object.values(vendors).flatMap((role) => Object.values(role).map((vendor) => vendor.plugin)));
  await Promise.allSettled([livekit(), ...[...plugins].map(plugin)]);
}

/** Your code for tools of type `client`, by name. It gets the arguments, and returns what the model should read. */
export const clientTools: Record<string, (given: Record<string, unknown>) => Promise<unknown>> = {};

/** Finds your code for a tool of type `client`. */
const findClientTool = ({ type, name }: Tool) =>
  type === 'client' && Object.hasOwn(clientTools, name) ? clientTools[name] : undefined;

/** The parts of LiveKit's run context used here. */
interface RunContext {
  session: { say(text: string): unknown; shutdown(): void };
  speechHandle: { addDoneCallback(callback: () => void): void };
}

/** Builds LiveKit's tools from those of the assistant. Transfers and MCP servers are for Python only: LiveKit on Node has neither. */
export function buildTools(
  { tool: makeTool }: LiveKit['llm'],
  api: Api,
  configuration: Configuration,
  context: Pick<JobContext, 'addShutdownCallback' | 'deleteRoom'>,
): Record<string, object> {
  const build = (tool: Tool) => {
    const execute = async (
      given: Record<string, unknown>,
      { ctx, toolCallId }: { ctx: RunContext; toolCallId: string },
    ) => {
      if (tool.say.start) ctx.session.say(tool.say.start);
      if (tool.type === 'end_call') {
        context.addShutdownCallback(() => context.deleteRoom()); // disconnects a caller on the phone too
        ctx.speechHandle.addDoneCallback(() => ctx.session.shutdown());
        return 'Say good-bye.';
      }
      const run = findClientTool(tool);
      return run ? run(given) : callTool(api, configuration, tool, given, toolCallId);
    };
    return [tool.name, makeTool({ description: tool.description, parameters: tool.parameters, execute })];
  };
  const isUsable = (tool: Tool) => tool.type !== 'transfer' && (tool.type !== 'client' || findClientTool(tool));
  return Object.fromEntries(listTools(configuration).filter(isUsable).map(build));
}

/** Returns what LiveKit knows of a call. A caller's identity is no name: without a name, there is none. */
export function describeCall(roomName: string | undefined, { name, attributes }: Caller): CallValues['call'] {
  const { 'sip.phoneNumber': theirs, 'sip.trunkPhoneNumber': ours } = attributes;
  const facts = { room_name: roomName, participant_name: name || undefined };
  if (attributes['sip.callID'] === undefined) return facts;
  // A dispatch rule takes the calls that come in. Those that you make have none.
  return attributes['sip.ruleID']
    ? { ...facts, from: theirs, to: ours, direction: 'inbound' }
    : { ...facts, from: ours, to: theirs, direction: 'outbound' };
}

async function takeCall(context: JobContext): Promise<void> {
  const api = fromEnvironment();
  const { voice: agents, llm } = await livekit();
  await context.connect();
  const caller = await context.waitForParticipant();
  const startedAt = new Date();
  const assistantId = chooseAssistant(context.job.metadata, caller.attributes['sip.trunkPhoneNumber']);
  const call = describeCall(context.room.name, caller);
  const { metadata } = context.job;
  const values = { call, variables: chooseVariables(metadata) };
  const configuration = await startCall(api, assistantId, values, chooseVersion(metadata));
  const { system_instruction, first_message } = getTexts(configuration);
  const session = new agents.AgentSession({
    stt: await build(configuration, 'transcriber'),
    llm: await build(configuration, 'llm'),
    tts: await build(configuration, 'voice'),
  });

  // Otherwise the job ends when the room closes, some 20 seconds after the caller has left.
  let end: { at: Date; reason: string } | undefined;
  session.on('close', ({ reason }) => {
    end = { at: new Date(), reason };
    context.shutdown(reason);
  });
  // Before the session starts, so that a call that ends early is saved too.
  context.addShutdownCallback(async () => {
    // LiveKit omits the time of each item by default.
    const { items } = session.history.toJSON({ excludeTimestamp: false });
    const log = callLog(assistantId, context.room.name ?? '', startedAt, items, end?.at);
    const { participant_name, direction } = call;
    const { modelUsage: usage } = session.usage;
    const facts = { participant_name, direction, assistant_version: configuration.version, usage };
    await saveCall(api, { ...log, ...facts, ...(end && { end_reason: end.reason }) });
  });

  const tools = buildTools(llm, api, configuration, context);
  await session.start({ agent: new agents.Agent({ instructions: system_instruction, tools }), room: context.room });
  if (first_message) session.say(first_message);
}

/** The agent that LiveKit's job processes import. `defineAgent` would add the same symbol. */
export default { prewarm, entry: takeCall, [Symbol.for('livekit.agents.AgentDefinition')]: true };

if (process.argv[1] === import.meta.filename) {
  await sendWaiting(fromEnvironment());
  const { cli, ServerOptions } = await livekit();
  cli.runApp(new ServerOptions({ agent: import.meta.filename }));
}
