import type { Draft, DraftTool } from './draft.ts';
import { addHttpTool, type NamedField, readHeaders, readServerUrl, toServiceType, withholdKeys } from './http-tool.ts';
import { type Importer, importDocument } from './import-document.ts';
import { readVendorName, toProvider } from './providers.ts';
import { type Field, isRecord } from './source.ts';
import {
  addTransferTool,
  readAddress,
  readParameters,
  readPurpose,
  readSpeech,
  readToolName,
  readWord,
} from './tool-parts.ts';

/** Values that Vapi fills in, in the words of our templates. */
const builtIns: Record<string, string> = {
  'customer.number': 'call.from',
  'phoneNumber.number': 'call.to',
  'call.type': 'call.direction',
  month: '"now" | date: "%B"',
  day: '"now" | date: "%A"',
};

/** Names that Vapi and this service fill in alike. */
const sharedNames = ['now', 'date', 'time', 'year', 'assistant.name'];

/** Providers that only Vapi runs, or that stand for a server of the user. */
const ownProviders = ['vapi', 'custom-voice', 'custom-transcriber', 'custom-llm'];

const vapi: Importer = {
  vendor: 'Vapi',
  agent: 'assistant',
  syntax: {
    isLiquid: true,
    findOwnTag: (name) => {
      if (sharedNames.includes(name)) return name;
      return Object.hasOwn(builtIns, name) ? builtIns[name] : undefined;
    },
  },
  isAgent: (value) => isRecord(value.model) || ('firstMessage' in value && !('members' in value)),
  findAgents: (document) => {
    const members = document.get('members');
    if (!members.isEmpty)
      return members
        .items()
        .map((one) => one.get('assistant'))
        .filter((one) => !one.isEmpty);
    for (const key of ['results', 'assistants', 'items']) {
      const list = document.get(key);
      if (!list.isEmpty) return list.items();
    }
    return [document.get('assistant')].filter((one) => !one.isEmpty);
  },
  getLabel: ({ name, id }) => name ?? id,
  map: (agent, draft) => {
    for (const key of ['id', 'orgId', 'createdAt', 'updatedAt', 'latestVersion', 'isServerUrlSecretSet'])
      agent.get(key).skip();
    draft.setName(agent.get('name'));
    mapFirstMessage(agent, draft);
    mapModel(agent.get('model'), draft);
    mapVoice(agent.get('voice'), draft);
    mapTranscriber(agent.get('transcriber'), draft);
    const tools = agent.get('tools');
    for (const tool of tools.isEmpty ? [] : tools.items()) mapTool(tool, draft);
    agent.get('toolIds').lose(idsOnly);
    const canEndCall = agent.get('endCallFunctionEnabled');
    if (!canEndCall.isEmpty && canEndCall.boolean())
      draft.addTool({ field: canEndCall, body: { type: 'end_call', name: 'end_call' } });
    loseKnown(agent);
  },
};

/** Imports assistants of Vapi. Throws ImportError if the document holds none. */
export const importVapi = (document: unknown) => importDocument(document, vapi);

function mapFirstMessage(agent: Field, draft: Draft): void {
  const mode = agent.get('firstMessageMode');
  const message = agent.get('firstMessage');
  if (mode.isEmpty || mode.value === 'assistant-speaks-first') {
    readWord(mode, 'assistant-speaks-first');
    draft.setFirstMessage(message);
    return;
  }
  if (mode.value === 'assistant-waits-for-user') mode.text();
  else mode.lose('Assistants say a fixed greeting or wait for the caller: this one waits');
  message.lose('The assistant waits for the caller');
}

const idsOnly = 'The document has only their ids: import by the API, or add them to model.tools';

function mapModel(model: Field, draft: Draft): void {
  const { llm } = draft;
  for (const message of model.get('messages').isEmpty ? [] : model.get('messages').items()) {
    const role = message.get('role');
    if (role.value === 'system') {
      role.text();
      draft.addPrompt(message.get('content'));
    } else message.lose('Only system messages are part of the prompt');
  }
  draft.addPrompt(model.get('systemPrompt'));
  const provider = model.get('provider');
  if (provider.value === 'custom-llm' || provider.value === 'vapi') {
    provider.lose('A model of your own server has no place in an assistant: the default model is used');
    model.get('model').lose('It belongs to the provider');
    model.get('url').lose('It belongs to the provider');
    withholdHeaders(model.get('headers'));
  } else {
    const name = readVendorName(provider);
    if (name) llm.llm_provider = toProvider(name);
    const id = readVendorName(model.get('model'));
    if (id && /realtime/.test(id))
      model.get('model').lose('Assistants have a language model and a voice: choose a model of text');
    else if (id) llm.model = id;
  }
  draft.setSettings(llm, model, {
    temperature: 'temperature',
    maxTokens: 'max_tokens',
    reasoningEffort: 'reasoning_effort',
    topP: 'top_p',
  });
  const { tools, functions } = { tools: model.get('tools'), functions: model.get('functions') };
  for (const tool of tools.isEmpty ? [] : tools.items()) mapTool(tool, draft);
  for (const one of functions.isEmpty ? [] : functions.items()) mapFunction(one, draft, one);
  for (const key of ['toolIds', 'toolRefs']) model.get(key).lose(idsOnly);
  for (const key of ['knowledgeBase', 'knowledgeBaseId'])
    model.get(key).lose('Upload its documents as knowledge bases, and attach them');
}

function mapVoice(voice: Field, draft: Draft): void {
  if (voice.isEmpty) return;
  const provider = voice.get('provider');
  if (ownProviders.includes(String(provider.value))) {
    voice.lose('Only Vapi or your own server has this voice: choose another');
    return;
  }
  const name = readVendorName(provider);
  if (name) draft.voice.tts_provider = toProvider(name);
  const id = readVendorName(voice.get('voiceId'), 256);
  if (id) draft.voice.voice_id = id;
  const model = readVendorName(voice.get('model'));
  if (model) draft.voice.tts_model = model;
  draft.setLanguage(draft.voice, voice.get('language'));
  draft.setSettings(draft.voice, voice, {
    speed: 'speed',
    stability: 'stability',
    similarityBoost: 'similarity_boost',
    style: 'style',
    temperature: 'temperature',
    emotion: 'emotion',
    volume: 'volume',
    pitch: 'pitch',
    speakingRate: 'speaking_rate',
    instructions: 'instructions',
  });
}

function mapTranscriber(transcriber: Field, draft: Draft): void {
  if (transcriber.isEmpty) return;
  const provider = transcriber.get('provider');
  if (ownProviders.includes(String(provider.value))) {
    transcriber.lose('Only Vapi or your own server has this transcriber: choose another');
    return;
  }
  const name = readVendorName(provider);
  if (name) draft.transcriber.stt_provider = toProvider(name);
  const model = readVendorName(transcriber.get('model')) ?? readVendorName(transcriber.get('speechModel'));
  if (model) draft.transcriber.stt_model = model;
  draft.setLanguage(draft.transcriber, transcriber.get('language'));
  draft.setSettings(draft.transcriber, transcriber, {
    smartFormat: 'smart_format',
    numerals: 'numerals',
    profanityFilter: 'profanity_filter',
  });
  draft.setWords(draft.transcriber, transcriber.get('keywords'), 'keywords');
  draft.setWords(draft.transcriber, transcriber.get('keyterm'), 'keyterms');
}

function readSay(messages: Field): NonNullable<DraftTool['say']> {
  const say: NonNullable<DraftTool['say']> = {};
  for (const message of messages.isEmpty ? [] : messages.items()) {
    const type = message.get('type');
    const when = type.value === 'request-start' ? 'start' : type.value === 'request-failed' ? 'failure' : undefined;
    if (!when || say[when] || !message.get('conditions').isEmpty) {
      message.lose('Tools say one text when they start and one when they fail');
      continue;
    }
    type.text();
    say[when] = readSpeech(message.get('content'));
  }
  return say;
}

function addEndCall(draft: Draft, tool: Field): void {
  tool.get('type').text();
  const description = tool.get('function', 'description');
  draft.addTool({
    field: tool,
    say: readSay(tool.get('messages')),
    body: {
      type: 'end_call',
      name: readToolName(tool.get('function', 'name')) ?? 'end_call',
      ...(description.isEmpty ? {} : { description: readPurpose(description) }),
    },
  });
}

/** Reasons why tools are not imported, by their type. */
const lostTools: Record<string, string> = {
  query: 'Upload its documents as knowledge bases: assistants search them without a tool',
  handoff: 'Assistants cannot hand a call to another assistant',
};

function mapTool(tool: Field, draft: Draft): void {
  for (const key of ['id', 'orgId', 'createdAt', 'updatedAt', 'latestVersion']) tool.get(key).skip();
  const type = String(tool.get('type').value);
  if (type === 'apiRequest') mapApiRequest(tool, draft);
  else if (type === 'function') mapFunction(tool, draft, tool.get('function'));
  else if (type === 'transferCall') mapTransfer(tool, draft);
  else if (type === 'endCall') addEndCall(draft, tool);
  else if (type === 'mcp') mapMcp(tool, draft);
  else {
    withholdHeaders(tool.get('server', 'headers'));
    tool.lose((Object.hasOwn(lostTools, type) && lostTools[type]) || 'Assistants have no tool of this type');
  }
}

/** Warns of keys in headers that are not imported. */
function withholdHeaders(headers: Field): void {
  if (isRecord(headers.value)) withholdKeys(toNamed(headers));
}

const toNamed = (fields: Field): NamedField[] =>
  fields.isEmpty ? [] : fields.entries().map(([name, field]) => ({ name, field }));

/** Reads headers that are written as a JSON Schema with values. */
function listSchemaHeaders(schema: Field): NamedField[] {
  if (schema.isEmpty) return [];
  if (!isRecord(schema.get('properties').value)) return toNamed(schema);
  readWord(schema.get('type'), 'object');
  return toNamed(schema.get('properties')).map(({ name, field }) => {
    readWord(field.get('type'), 'string', 'number', 'integer', 'boolean');
    const value = ['value', 'default', 'const'].map((key) => field.get(key)).find((one) => !one.isEmpty);
    return { name, field: value ?? field.get('value') };
  });
}

function mapApiRequest(tool: Field, draft: Draft): void {
  tool.get('type').text();
  const named = tool.get('function');
  const name = tool.get('name').isEmpty ? named.get('name') : tool.get('name');
  const description = tool.get('description').isEmpty ? named.get('description') : tool.get('description');
  const parameters = readParameters(tool.get('body'));
  tool.get('encryptedPaths').lose('Keys are never part of a tool');
  const seconds = tool.get('timeoutSeconds');
  addHttpTool(draft, {
    field: tool,
    name,
    description,
    url: tool.get('url'),
    method: tool.get('method').isEmpty
      ? 'GET'
      : (tool.get('method').choice('GET', 'POST', 'PUT', 'PATCH', 'DELETE') ?? 'GET'),
    headers: listSchemaHeaders(tool.get('headers')),
    credential: tool.get('credentialId'),
    query: [],
    parameters,
    seconds: { field: seconds, value: seconds.isEmpty ? undefined : seconds.number() },
    say: readSay(tool.get('messages')),
  });
}

/** Maps a function: with a server to a request, without one to code of the worker. */
function mapFunction(tool: Field, draft: Draft, definition: Field): void {
  readWord(tool.get('type'), 'function');
  const server = tool.get('server');
  const url = server.get('url').isEmpty ? tool.get('serverUrl') : server.get('url');
  const parameters = readParameters(definition.get('parameters'));
  const say = readSay(tool.get('messages'));
  definition.get('strict').lose('Arguments are always checked');
  tool.get('async').lose('Calls wait for the answer of a tool');
  for (const secret of [server.get('secret'), tool.get('serverUrlSecret')]) secret.withhold('A key is not imported');
  server.get('encryptedPaths').lose('Keys are never part of a tool');
  if (url.isEmpty) {
    const name = readToolName(definition.get('name'));
    if (!name) {
      tool.lose('It has no name');
      return;
    }
    const description = readPurpose(definition.get('description'), name);
    draft.addTool({
      field: tool,
      say,
      body: { type: 'client', name, description, ...(parameters ? { parameters } : {}) },
    });
    return;
  }
  url.change('It gets the arguments as JSON, without the message that Vapi puts around them');
  const seconds = server.get('timeoutSeconds');
  addHttpTool(draft, {
    field: tool,
    name: definition.get('name'),
    description: definition.get('description'),
    url,
    method: 'POST',
    headers: toNamed(server.get('headers')),
    credential: server.get('credentialId'),
    query: [],
    parameters,
    seconds: { field: seconds, value: seconds.isEmpty ? undefined : seconds.number() },
    say,
  });
}

function mapTransfer(tool: Field, draft: Draft): void {
  tool.get('type').text();
  const definition = tool.get('function');
  definition.get('parameters').lose('Its only argument is the destination');
  definition.get('strict').lose('Arguments are always checked');
  const description = definition.get('description');
  const destinations = tool.get('destinations').isEmpty ? [] : tool.get('destinations').items();
  addTransferTool(draft, {
    field: tool,
    say: readSay(tool.get('messages')),
    name: readToolName(definition.get('name')),
    description: description.isEmpty ? undefined : readPurpose(description),
    destinations: destinations.map((field) => {
      const type = field.get('type').value;
      if (type !== 'number' && type !== 'sip') {
        field.lose('Calls are transferred to numbers and SIP addresses only');
        return { field, to: undefined, when: undefined };
      }
      field.get('type').text();
      const to = type === 'sip' ? readAddress(field.get('sipUri'), 'sip') : readAddress(field.get('number'), 'tel');
      return { field, to, when: field.get('description').isEmpty ? undefined : field.get('description').text() };
    }),
  });
}

function mapMcp(tool: Field, draft: Draft): void {
  tool.get('type').text();
  const server = tool.get('server');
  const url = readServerUrl(server.get('url'));
  const name = readToolName(tool.get('name')) ?? readToolName(tool.get('function', 'name')) ?? 'mcp';
  const protocol = tool.get('metadata', 'protocol');
  const transport = protocol.isEmpty ? undefined : protocol.choice('sse', 'shttp');
  const service = toServiceType(url ?? '');
  const { headers, credential } = readHeaders(toNamed(server.get('headers')), service);
  for (const [, { field }] of headers) field.lose('MCP servers get only a key');
  const stored = server.get('credentialId');
  stored.withhold(`A credential of Vapi is not imported: save its key as the credential \`${service}\``);
  if (!url) {
    tool.lose('It has no address');
    return;
  }
  draft.addServer(tool, {
    name,
    url,
    transport: transport === 'sse' ? 'sse' : 'streamable_http',
    credential: credential ?? (stored.isEmpty ? null : { service_type: service }),
  });
}

/** Reasons for what assistants here do not have, by the field of an assistant of Vapi. */
const reasons: Record<string, string> = {
  analysisPlan: 'Assistants have no analysis of calls: your worker or a webhook can do it',
  artifactPlan: 'Recordings and logs are set up with your telephony',
  server: 'Events of calls are sent by webhooks: create one',
  serverUrl: 'Events of calls are sent by webhooks: create one',
  serverMessages: 'Events of calls are sent by webhooks: create one',
  clientMessages: 'Your worker decides what it sends to a browser',
  voicemailDetection: 'Your worker or your telephony detects voicemail',
  voicemailMessage: 'Your worker or your telephony detects voicemail',
  startSpeakingPlan: 'Your worker decides when to speak',
  stopSpeakingPlan: 'Your worker decides when to stop',
  maxDurationSeconds: 'Your worker ends calls that are too long',
  silenceTimeoutSeconds: 'Your worker ends silent calls',
  endCallMessage: 'Say it in the prompt',
  endCallPhrases: 'Say it in the prompt',
};

function loseKnown(agent: Field): void {
  const secret = agent.get('serverUrlSecret');
  secret.withhold('A key is not imported: webhooks have secrets of their own');
  const server = agent.get('server');
  if (isRecord(server.value))
    server.get('secret').withhold('A key is not imported: webhooks have secrets of their own');
  withholdHeaders(server.get('headers'));
  for (const key of ['credentials', 'credentialIds'])
    agent.get(key).withhold('Keys are not imported: save them as credentials');
  for (const [key, reason] of Object.entries(reasons)) agent.get(key).lose(reason);
}
