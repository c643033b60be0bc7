import { type Draft, Refused } from './draft.ts';
import { addHttpTool, type NamedField, readHeaders, readServerUrl, toServiceType, withholdKeys } from './http-tool.ts';
import { type Importer, importDocument } from './import-document.ts';
import { setModelByName } from './providers.ts';
import { withholdValues } from './schema-keys.ts';
import { isSecretName } from './secrets.ts';
import { type Field, isEmpty, isRecord } from './source.ts';
import { addTransferTool, readAddress, readPurpose, readToolName, readWord } from './tool-parts.ts';

/** Our tags for the values that ElevenLabs fills in. */
const builtIns: Record<string, string> = {
  system__caller_id: '{{ call.from }}',
  system__called_number: '{{ call.to }}',
  system__call_type: '{{ call.direction }}',
  system__time_utc: '{{ now }}',
  system__time: '{{ weekday }}, {{ date }}, {{ time }}',
};

const elevenlabs: Importer = {
  vendor: 'ElevenLabs',
  agent: 'agent',
  syntax: { findOwnTag: (name) => (Object.hasOwn(builtIns, name) ? builtIns[name] : undefined) },
  isAgent: (value) => 'conversation_config' in value || 'conversationConfig' in value,
  findAgents: (document) => {
    for (const key of ['agents', 'items', 'results']) {
      const list = document.get(key);
      if (list.isEmpty) continue;
      for (const paging of ['next_cursor', 'has_more']) document.get(paging).skip();
      return list.items();
    }
    return [];
  },
  getLabel: ({ name, agent_id }) => name ?? agent_id,
  map: (agent, draft) => {
    if (!agent.get('conversationConfig').isEmpty)
      throw new Refused(
        'Its names are written as in JavaScript: export it as the API has it, with `conversation_config`',
      );
    for (const key of ['agent_id', 'metadata', 'version_id', 'branch_id', 'main_branch_id', 'access_info'])
      agent.get(key).skip();
    draft.setName(agent.get('name'));
    const config = agent.get('conversation_config');
    const own = config.get('agent');
    // Declared first, so that the variables keep their names.
    mapVariables(own.get('dynamic_variables'), draft);
    mapPrompt(own.get('prompt'), draft);
    draft.setFirstMessage(own.get('first_message'));
    draft.setLanguage(draft.voice, own.get('language'));
    draft.setLanguage(draft.transcriber, own.get('language'));
    mapVoice(config.get('tts'), draft);
    mapTranscriber(config.get('asr'), draft);
    const nodes = agent.get('workflow', 'nodes');
    if (isRecord(nodes.value) && Object.keys(nodes.value).length > 1)
      agent.get('workflow').lose('Assistants have one prompt, without a workflow of others');
    else agent.get('workflow').lose('Assistants have no workflow, and this one has a single node');
    for (const [key, reason] of Object.entries(reasons)) agent.get(...key.split('.')).lose(reason);
  },
};

/** Imports agents of ElevenLabs. Throws ImportError if the document holds none. */
export const importElevenlabs = (document: unknown) => importDocument(document, elevenlabs);

function mapVariables(variables: Field, draft: Draft): void {
  const placeholders = variables.get('dynamic_variable_placeholders');
  for (const [name, field] of placeholders.isEmpty ? [] : placeholders.entries())
    draft.templates.addDefault(name, field);
}

function mapPrompt(prompt: Field, draft: Draft): void {
  draft.addPrompt(prompt.get('prompt'));
  const model = prompt.get('llm');
  if (model.value === 'custom-llm')
    model.lose('A model of your own server has no place in an assistant: the default model is used');
  else setModelByName(draft, model);
  const custom = prompt.get('custom_llm');
  if (isRecord(custom.value)) {
    custom.get('api_key').withhold('A key is not imported');
    if (isRecord(custom.get('request_headers').value)) withholdKeys(toNamed(custom.get('request_headers')));
    custom.lose('A model of your own server has no place in an assistant');
  }
  const tokens = prompt.get('max_tokens');
  if (tokens.value === -1) tokens.number();
  else draft.setSettings(draft.llm, prompt, { max_tokens: 'max_tokens' });
  draft.setSettings(draft.llm, prompt, { temperature: 'temperature', reasoning_effort: 'reasoning_effort' });
  draft.setTimezone(prompt.get('timezone'));
  const tools = prompt.get('tools');
  for (const tool of tools.isEmpty ? [] : tools.items()) mapTool(unwrapTool(tool), draft);
  const builtInTools = prompt.get('built_in_tools');
  for (const [name, tool] of builtInTools.isEmpty ? [] : builtInTools.entries()) {
    if (tool.isEmpty) continue;
    mapSystemTool(tool, draft, name);
  }
  mapServers(prompt.get('mcp_servers'), draft);
  prompt
    .get('tool_ids')
    .lose('The document has only their ids: import by the API, or add them as `tools` of the prompt');
  prompt.get('mcp_server_ids').lose('The document has only their ids: import by the API');
  prompt.get('knowledge_base').lose('Upload its documents as knowledge bases, and attach them');
  prompt.get('rag').lose('Assistants search attached knowledge bases by themselves');
  prompt.get('native_mcp_server_ids').lose('They are services of ElevenLabs');
}

/** Returns the configuration of a tool, which the API wraps and older agents hold as it is. */
function unwrapTool(tool: Field): Field {
  const config = tool.get('tool_config');
  if (config.isEmpty) return tool;
  for (const key of ['id', 'access_info', 'usage_stats']) tool.get(key).skip();
  return config;
}

function mapVoice(tts: Field, draft: Draft): void {
  if (tts.isEmpty) return;
  draft.voice.tts_provider = 'elevenlabs';
  draft.setSettings(draft.voice, tts, {
    voice_id: 'voice_id',
    model_id: 'tts_model',
    stability: 'stability',
    similarity_boost: 'similarity_boost',
    speed: 'speed',
  });
  if (draft.voice.tts_model === 'eleven_v3_conversational') {
    tts.get('model_id').change('Outside of ElevenLabs it is named eleven_v3');
    draft.voice.tts_model = 'eleven_v3';
  }
}

function mapTranscriber(asr: Field, draft: Draft): void {
  if (asr.isEmpty) return;
  const provider = asr.get('provider');
  if (!provider.isEmpty && provider.choice('elevenlabs', 'scribe_realtime')) {
    draft.transcriber.stt_provider = 'elevenlabs';
    draft.transcriber.stt_model = 'scribe_v2_realtime';
  }
  draft.setWords(draft.transcriber, asr.get('keywords'), 'keyterms');
}

const toNamed = (fields: Field): NamedField[] =>
  fields.isEmpty ? [] : fields.entries().map(([name, field]) => ({ name, field }));

function mapTool(tool: Field, draft: Draft): void {
  const type = tool.get('type').value;
  tool.get('id').skip();
  if (type === 'webhook') mapWebhook(tool, draft);
  else if (type === 'client') {
    tool.get('type').text();
    const name = readToolName(tool.get('name'));
    if (!name) {
      tool.lose('It has no name');
      return;
    }
    const parameters = readArguments(tool.get('parameters'));
    draft.addTool({
      field: tool,
      body: {
        type: 'client',
        name,
        description: readPurpose(tool.get('description'), name),
        ...(parameters ? { parameters } : {}),
      },
    });
  } else if (type === 'system') mapSystemTool(tool, draft, String(tool.get('name').value));
  else tool.lose('Assistants have no tool of this type');
}

/** Maps a tool that ElevenLabs runs itself. */
function mapSystemTool(tool: Field, draft: Draft, key: string): void {
  const params = tool.get('params');
  const kind = params.get('system_tool_type').isEmpty ? key : params.get('system_tool_type').value;
  if (kind !== 'end_call' && kind !== 'transfer_to_number') {
    tool.lose(
      kind === 'transfer_to_agent'
        ? 'Assistants cannot hand a call to another assistant'
        : 'Assistants have no such tool',
    );
    return;
  }
  readWord(tool.get('type'), 'system');
  params.get('system_tool_type').scalar();
  const description = tool.get('description');
  const purpose = description.isEmpty ? undefined : readPurpose(description);
  const name = readToolName(tool.get('name'));
  if (kind === 'end_call') {
    draft.addTool({
      field: tool,
      body: { type: 'end_call', name: name ?? 'end_call', ...(purpose ? { description: purpose } : {}) },
    });
    return;
  }
  const transfers = params.get('transfers').isEmpty ? [] : params.get('transfers').items();
  addTransferTool(draft, {
    field: tool,
    name,
    description: purpose,
    destinations: transfers.map((transfer) => {
      const destination = transfer.get('transfer_destination');
      const type = destination.get('type').value;
      const when = transfer.get('condition').isEmpty ? undefined : transfer.get('condition').text();
      if (typeof type === 'string' && type.endsWith('dynamic_variable')) {
        destination.lose('A destination is no template');
        return { field: transfer, to: undefined, when };
      }
      readWord(destination.get('type'), 'phone', 'sip_uri');
      const number = destination.get('phone_number').isEmpty
        ? transfer.get('phone_number')
        : destination.get('phone_number');
      const to = destination.get('sip_uri').isEmpty
        ? readAddress(number, 'tel')
        : readAddress(destination.get('sip_uri'), 'sip');
      return { field: transfer, to, when };
    }),
  });
}

/** Warns of values that ElevenLabs fills into a property. Returns true if the property is left out. */
function loseFilledValues(property: Field): boolean {
  property.get('id').skip();
  property.get('value_type').skip();
  property.get('dynamic_variable').change('The model fills it in, and no variable does');
  property.get('allowed_values_dynamic_variable').lose('The model may send any value');
  const isSystem = property.get('is_system_provided');
  if (isSystem.value === true) isSystem.change('The model fills it in, and ElevenLabs does not');
  else if (!isSystem.isEmpty) isSystem.boolean();
  const isOmitted = property.get('is_omitted');
  if (isOmitted.value === true) return true;
  if (!isOmitted.isEmpty) isOmitted.boolean();
  return false;
}

/** Reads the JSON Schema of one argument. Leaves the argument out if its constant is a key, which the model could only make up. */
function readProperty(property: Field, isSecret: boolean): Record<string, unknown> | undefined {
  if (loseFilledValues(property)) {
    property.lose('It is left out');
    return undefined;
  }
  if (!property.get('properties').isEmpty) return readArguments(property, [], isSecret);
  const constant = property.get('constant_value');
  const whole = property.json();
  if (!whole) return undefined;
  const schema = withholdValues(whole, property, isSecret);
  if (!constant.isEmpty && !Object.hasOwn(schema, 'constant_value')) return undefined;
  const added = [
    'id',
    'value_type',
    'dynamic_variable',
    'allowed_values_dynamic_variable',
    'is_system_provided',
    'is_omitted',
  ];
  const own = Object.fromEntries(
    Object.entries(schema).filter(
      ([key, value]) => ![...added, 'constant_value', 'required'].includes(key) && !isEmpty(value),
    ),
  );
  if (constant.isEmpty) return own;
  const value = constant.scalar();
  if (value === undefined) return own;
  constant.change('The model sends it as the only value that is allowed');
  return { ...own, enum: [value] };
}

/** Reads arguments, without the keywords that only ElevenLabs has. */
function readArguments(schema: Field, fixed: string[] = [], isSecret = false): Record<string, unknown> | undefined {
  if (schema.isEmpty) return undefined;
  const listed = schema.get('properties');
  const properties: [string, unknown][] = [];
  // Some exports hold a list of properties with ids.
  const named: [string, Field][] = Array.isArray(listed.value)
    ? listed.items().map((one) => [String(one.get('id').value ?? ''), one])
    : listed.isEmpty
      ? []
      : listed.entries();
  for (const [name, field] of named) {
    if (fixed.includes(name)) continue;
    const property = readProperty(field, isSecret || isSecretName(name));
    if (property) properties.push([name, property]);
  }
  readWord(schema.get('type'), 'object');
  loseFilledValues(schema);
  schema.get('constant_value').lose('The model fills it in');
  const description = schema.get('description');
  const about = description.isEmpty ? undefined : description.text();
  const names = properties.map(([name]) => name);
  const required = schema.get('required').isEmpty ? [] : schema.get('required').items();
  const wanted = required.filter((one) => names.includes(String(one.value)) || fixed.includes(String(one.value)));
  for (const one of required) {
    if (wanted.includes(one)) one.text();
    else one.lose('No argument has this name');
  }
  schema.get('required_constraints').lose('Only `required` is checked');
  return {
    type: 'object',
    ...(about ? { description: about } : {}),
    properties: Object.fromEntries(properties),
    required: wanted.map(({ value }) => value).filter((name) => names.includes(String(name))),
  };
}

/** Joins schemas of the path, the query and the body: a tool here has one set of arguments. */
function joinArguments(schemas: (Record<string, unknown> | undefined)[]): Record<string, unknown> | undefined {
  const known = schemas.filter((one) => one !== undefined);
  if (known.length === 0) return undefined;
  const descriptions = known.map(({ description }) => description).filter((one) => typeof one === 'string');
  return {
    type: 'object',
    ...(descriptions.length > 0 ? { description: descriptions.join(' ') } : {}),
    properties: Object.assign({}, ...known.map(({ properties }) => properties)),
    required: [...new Set(known.flatMap(({ required }) => (Array.isArray(required) ? required : [])))],
  };
}

function mapWebhook(tool: Field, draft: Draft): void {
  tool.get('type').text();
  const api = tool.get('api_schema');
  const method = api.get('method');
  const verb = method.isEmpty ? 'GET' : (method.choice('GET', 'POST', 'PUT', 'PATCH', 'DELETE') ?? 'GET');
  const path = api.get('path_params_schema');
  const pathArguments = path.isEmpty
    ? undefined
    : {
        properties: Object.fromEntries(
          path.entries().flatMap(([name, field]) => {
            const property = readProperty(field, isSecretName(name));
            return property ? [[name, property] as const] : [];
          }),
        ),
        required: Object.keys(isRecord(path.value) ? path.value : {}),
      };
  const query = api.get('query_params_schema');
  const { fixed, schema: queryArguments } = readQuery(query, verb === 'GET' || verb === 'DELETE');
  const body = readArguments(api.get('request_body_schema'));
  const type = api.get('content_type');
  if (type.value === 'application/x-www-form-urlencoded') type.lose('Arguments are sent as JSON');
  else readWord(type, 'application/json');
  const seconds = tool.get('response_timeout_secs');
  mapVariables(tool.get('dynamic_variables'), draft);
  tool.get('assignments').lose('The model reads the answer of a tool, and keeps no variables of it');
  addHttpTool(draft, {
    field: tool,
    name: tool.get('name'),
    description: tool.get('description'),
    url: api.get('url'),
    method: verb,
    headers: listHeaders(api.get('request_headers')),
    credential: api.get('auth_connection'),
    query: fixed,
    parameters: joinArguments([pathArguments, queryArguments, body]),
    seconds: { field: seconds, value: seconds.isEmpty ? undefined : seconds.number() },
    say: {},
  });
}

/** Reads the headers of a request, as an object or, in some exports, as a list. */
function listHeaders(headers: Field): NamedField[] {
  if (!Array.isArray(headers.value)) return toNamed(headers);
  return headers.items().map((header) => {
    readWord(header.get('type'), 'value', 'secret');
    return { name: String(header.get('name').scalar() ?? ''), field: header.get('value') };
  });
}

/** Splits the query of a request into constants and arguments. A body here takes all arguments, so that a POST has none in its query. */
function readQuery(
  query: Field,
  takesArguments: boolean,
): { fixed: NamedField[]; schema: Record<string, unknown> | undefined } {
  if (query.isEmpty) return { fixed: [], schema: undefined };
  const properties = query.get('properties');
  const fixed: NamedField[] = [];
  if (isRecord(properties.value)) {
    for (const [name, field] of properties.entries()) {
      const constant = field.get('constant_value');
      if (constant.isEmpty) continue;
      fixed.push({ name, field: constant });
      readWord(field.get('type'), 'string', 'number', 'integer', 'boolean');
      field.get('description').lose('The value is fixed');
      loseFilledValues(field);
    }
  }
  const schema = readArguments(
    query,
    fixed.map(({ name }) => name),
  );
  if (!takesArguments) query.get('properties').change('The arguments are sent in the body');
  return { fixed, schema };
}

function mapServers(servers: Field, draft: Draft): void {
  for (const server of servers.isEmpty ? [] : servers.items()) {
    const config = server.get('config').isEmpty ? server : server.get('config');
    for (const key of ['id', 'access_info', 'dependent_agents', 'metadata']) server.get(key).skip();
    const url = typeof config.get('url').value === 'string' ? readServerUrl(config.get('url')) : undefined;
    const name = readToolName(config.get('name'));
    const service = toServiceType(url ?? '');
    const { headers, credential } = readHeaders(toNamed(config.get('request_headers')), service);
    for (const [, { field }] of headers) field.lose('MCP servers get only a key');
    const token = config.get('secret_token');
    token.withhold(`A key is not imported: save it as the credential \`${service}\``);
    const transport = config.get('transport');
    const kind = transport.isEmpty ? undefined : transport.choice('SSE', 'STREAMABLE_HTTP');
    if (url && name) {
      draft.addServer(server, {
        name,
        url,
        transport: kind === 'SSE' ? 'sse' : 'streamable_http',
        credential: credential ?? (token.isEmpty ? null : { service_type: service }),
      });
    } else server.lose(url ? 'It has no name' : 'Its address is a key, which is not imported');
  }
}

/** Reasons for what assistants here do not have, by the path of a field of an agent of ElevenLabs. */
const reasons: Record<string, string> = {
  'conversation_config.turn': 'Your worker decides when to speak and when to stop',
  'conversation_config.vad': 'Your worker detects speech',
  'conversation_config.conversation': 'Your worker limits calls and plays sounds',
  'conversation_config.language_presets': 'Make an assistant for each language',
  'platform_settings.data_collection': 'Assistants have no analysis of calls: your worker or a webhook can do it',
  'platform_settings.evaluation': 'Assistants have no analysis of calls: your worker or a webhook can do it',
  'platform_settings.widget': 'Your web page shows the call: see docs/workers.md',
  'platform_settings.auth': 'Tokens and API keys decide who may call',
  'platform_settings.overrides': 'Callers change variables only',
  'platform_settings.privacy': 'Retention is a setting of the service',
  'platform_settings.call_limits': 'Quotas limit requests',
  'platform_settings.guardrails': 'Say it in the prompt',
  'platform_settings.workspace_overrides': 'Events of calls are sent by webhooks: create one',
  phone_numbers: 'Numbers belong to your telephony',
};
