import { type Draft, Refused, readText } from './draft.ts';
import { addHttpTool, type NamedField, readServerUrl, toServiceType } from './http-tool.ts';
import { type Importer, importDocument } from './import-document.ts';
import { readVendorName, toProvider } from './providers.ts';
import { type Field, isRecord } from './source.ts';
import { addTransferTool, readAddress, readPurpose, readSpeech, readToolName, readWord } from './tool-parts.ts';

/** Translates a value that Dograh fills in. Its name may end in a time zone: `current_time_Asia/Kolkata`. */
const findOwnTag = (name: string): string | undefined => {
  if (/^current_time(?:_|$)/.test(name)) return '{{ date }}, {{ time }}';
  if (/^current_weekday(?:_|$)/.test(name)) return '{{ weekday }}';
  if (/^(?:initial_context\.)?(?:caller_number|phone_number)$/.test(name)) return '{{ call.from }}';
  return /^(?:initial_context\.)?called_number$/.test(name) ? '{{ call.to }}' : undefined;
};

/** Splits `name | text` and the older `name | fallback:text`. */
function splitFallback(inside: string): { name: string; fallback: string | undefined } {
  const [name = '', filter] = inside.split(/\|(.*)/s).map((part) => part.trim());
  return {
    name: name.replace(/^initial_context\./, ''),
    fallback: filter?.replace(/^fallback\s*:?\s*/, '') || undefined,
  };
}

const definitionKeys = ['workflow_definition', 'template_json', 'workflow_json'];

const dograh: Importer = {
  vendor: 'Dograh',
  agent: 'workflow',
  syntax: {
    findOwnTag,
    findTimeZone: (name) => /^current_(?:time|weekday)_(.+)$/.exec(name)?.[1],
    splitFallback,
  },
  isAgent: (value) => definitionKeys.some((key) => isRecord(value[key])) || ('nodes' in value && 'edges' in value),
  findAgents: (document) => {
    for (const key of ['workflows', 'items', 'templates', 'results']) {
      const list = document.get(key);
      if (!list.isEmpty) return list.items();
    }
    return [document.get('workflow')].filter((one) => !one.isEmpty);
  },
  getLabel: ({ name, template_name, workflow_uuid }) => name ?? template_name ?? workflow_uuid,
  map: (workflow, draft) => {
    for (const key of [
      ...['id', 'status', 'created_at', 'published_at', 'current_definition_id', 'total_runs', 'folder_id'],
      ...['version_number', 'version_status', 'workflow_uuid'],
    ])
      workflow.get(key).skip();
    draft.setName(workflow.get('name').isEmpty ? workflow.get('template_name') : workflow.get('name'));
    draft.setDescription(workflow.get('template_description'));
    const variables = workflow.get('template_context_variables');
    for (const [name, field] of variables.isEmpty ? [] : variables.entries()) draft.templates.addDefault(name, field);
    const key = definitionKeys.find((one) => !workflow.get(one).isEmpty);
    mapDefinition(key ? workflow.get(key) : workflow, workflow.get('tools'), draft);
    mapConfiguration(workflow.get('workflow_configurations'), draft);
    workflow.get('call_disposition_codes').lose('Your worker says why a call ended');
  },
};

/** Imports workflows of Dograh with one agent. Throws ImportError if the document holds none. */
export const importDograh = (document: unknown) => importDocument(document, dograh);

function mapDefinition(definition: Field, tools: Field, draft: Draft): void {
  definition.get('viewport').skip();
  const nodes = definition.get('nodes').isEmpty ? [] : definition.get('nodes').items();
  const list = (type: string) => nodes.filter((node) => node.get('type').value === type);
  const [starts, agents, ends, globals] = [list('startCall'), list('agentNode'), list('endCall'), list('globalNode')];
  if (agents.length > 1)
    throw new Refused(`It has ${agents.length} agent nodes, and assistants have one prompt: write one from its nodes`);
  if (starts.length > 1) throw new Refused(`It has ${starts.length} start nodes, and a call has one beginning`);
  if (globals.length > 1) throw new Refused(`It has ${globals.length} global nodes, and at most one is valid`);
  for (const node of nodes) {
    for (const key of ['id', 'position', 'measured', 'selected', 'dragging', 'width', 'height', 'positionAbsolute'])
      node.get(key).skip();
  }
  const conditions = readConditions(definition.get('edges'));
  const spoken = [...starts, ...agents];
  for (const node of [...globals, ...spoken, ...ends]) mapNode(node, conditions, draft);
  for (const { field } of [...conditions.values()].flat()) field.lose('No step of the prompt follows it');
  const [start] = starts;
  if (start) mapGreeting(start.get('data'), draft);
  const known = readTools(tools);
  for (const node of spoken) mapNodeTools(node.get('data'), known, draft);
  for (const { field, isUsed } of known.values()) if (!isUsed) field.lose('No node uses it');
  const [end] = ends;
  if (end) draft.addTool({ field: end, body: { type: 'end_call', name: 'end_call' } });
  for (const node of nodes.filter((one) => ![...globals, ...spoken, ...ends].includes(one))) loseNode(node);
}

/** Conditions under which a call reaches each node. */
type Conditions = Map<string, Edge[]>;

interface Edge {
  field: Field;
  condition: Field;
}

function readConditions(edges: Field): Conditions {
  const conditions: Conditions = new Map();
  for (const edge of edges.isEmpty ? [] : edges.items()) {
    for (const key of ['id', 'sourceHandle', 'targetHandle', 'type', 'animated', 'selected']) edge.get(key).skip();
    for (const key of ['invalid', 'validationMessage']) {
      edge.get(key).skip();
      edge.get('data', key).skip();
    }
    edge.get('source').change('A condition leads to its step of the prompt, from any other step');
    edge.get('data', 'label').lose('Steps of one prompt have no labels');
    edge.get('data', 'transition_speech').lose('The model chooses its words');
    const target = String(edge.get('target').scalar());
    const condition = edge.get('data', 'condition');
    conditions.set(target, [...(conditions.get(target) ?? []), { field: edge, condition }]);
  }
  return conditions;
}

/** Takes the conditions of a node's edges. Those of the others are lost. */
function takeConditions(id: string, conditions: Conditions): string {
  const texts = (conditions.get(id) ?? []).map(({ condition }) => readText(condition)?.trim());
  conditions.delete(id);
  return texts.filter((text) => text !== undefined).join('; or: ');
}

/** Adds the prompt of a node, led by the condition of its edge. */
function mapNode(node: Field, conditions: Conditions, draft: Draft): void {
  const type = node.get('type').text();
  const data = node.get('data');
  data.get('name').lose('Steps of one prompt have no names');
  const isStep = type === 'endCall' || type === 'agentNode';
  const condition =
    isStep && !data.get('prompt').isEmpty ? takeConditions(String(node.get('id').value), conditions) : '';
  const lead = type === 'endCall' ? 'To end the call' : 'Then';
  draft.addPrompt(data.get('prompt'), condition ? `${lead}, if this holds: ${condition}\n` : isStep ? `${lead}: ` : '');
  for (const key of ['is_start', 'is_end', 'invalid', 'validationMessage', 'is_static']) data.get(key).skip();
  const addsGlobal = data.get('add_global_prompt');
  if (addsGlobal.value === false) addsGlobal.change('The global prompt is part of the one prompt');
  else if (!addsGlobal.isEmpty) addsGlobal.boolean();
  for (const key of ['extraction_enabled', 'extraction_prompt', 'extraction_variables'])
    data.get(key).lose('Assistants extract no variables: your worker or a webhook can do it');
  data.get('allow_interrupt').lose('Your worker decides when to stop');
  data.get('document_uuids').lose('Upload these documents as knowledge bases, and attach them');
}

function mapGreeting(data: Field, draft: Draft): void {
  const type = data.get('greeting_type');
  const greeting = data.get('greeting');
  if (type.value === 'audio') {
    type.lose('Greetings are texts: write one');
    greeting.lose('Its recording is said instead');
    data.get('greeting_recording_id').lose('Greetings are texts: write one');
  } else {
    readWord(type, 'text');
    draft.setFirstMessage(greeting);
  }
  if (!draft.firstMessage)
    data.get('prompt').change('The assistant waits for the caller: write a first message if it should speak first');
  data.get('pre_call_fetch_credential_uuid').withhold('A credential of Dograh is not imported');
  for (const key of ['pre_call_fetch_mode', 'pre_call_fetch_url', 'pre_call_fetch_enabled'])
    data.get(key).lose('Send variables when a call starts');
}

/** Reasons why nodes are not imported, by their type. */
const lostNodes: Record<string, string> = {
  trigger: 'Calls are started by your telephony or your worker',
  webhook: 'Events of calls are sent by webhooks: create one',
  qa: 'Assistants have no analysis of calls: your worker or a webhook can do it',
};

function loseNode(node: Field): void {
  const data = node.get('data');
  data.get('credential_uuid').withhold('A credential of Dograh is not imported');
  data.get('qa_api_key').withhold('A key is not imported');
  const headers = data.get('custom_headers');
  if (!headers.isEmpty) headers.withhold('Headers of a webhook are not imported, because they may be keys');
  const type = String(node.get('type').value);
  node.lose((Object.hasOwn(lostNodes, type) && lostNodes[type]) || 'Assistants have no nodes of this type');
}

type KnownTools = Map<string, { field: Field; isUsed: boolean }>;

/** Reads the tools of a document. The import by the API puts them next to the workflow. */
function readTools(tools: Field): KnownTools {
  const known: KnownTools = new Map();
  for (const tool of tools.isEmpty ? [] : tools.items()) {
    const id = tool.get('tool_uuid').scalar();
    if (id !== undefined) known.set(String(id), { field: tool, isUsed: false });
  }
  return known;
}

function mapNodeTools(data: Field, known: KnownTools, draft: Draft): void {
  const ids = data.get('tool_uuids');
  for (const id of ids.isEmpty ? [] : ids.items()) {
    const tool = known.get(String(id.value));
    if (!tool) {
      id.lose('The document has only its id: import by the API, or add it to `tools`');
      continue;
    }
    id.scalar();
    if (!tool.isUsed) mapTool(tool.field, draft);
    tool.isUsed = true;
  }
  data.get('mcp_tool_filters').lose('Choose the tools of an MCP server in `allowed_tools`');
}

function mapTool(tool: Field, draft: Draft): void {
  for (const key of ['id', 'icon', 'icon_color', 'status', 'created_at', 'updated_at', 'created_by', 'category'])
    tool.get(key).skip();
  const definition = tool.get('definition');
  const config = definition.get('config');
  definition.get('schema_version').skip();
  const type = definition.get('type').value;
  if (type === 'http_api') mapHttpTool(tool, config, draft);
  else if (type === 'end_call') {
    definition.get('type').text();
    const speech = readMessage(config, 'messageType', 'custom');
    for (const key of ['endCallReason', 'endCallReasonDescription'])
      config.get(key).lose('Your worker says why a call ended');
    draft.addTool({
      field: tool,
      say: { start: speech },
      body: {
        type: 'end_call',
        name: readToolName(tool.get('name')) ?? 'end_call',
        ...(tool.get('description').isEmpty ? {} : { description: readPurpose(tool.get('description')) }),
      },
    });
  } else if (type === 'transfer_call') mapTransfer(tool, config, draft);
  else if (type === 'mcp') mapMcp(tool, config, draft);
  else tool.lose('Assistants have no tool of this type');
}

/** Reads what a tool says, if it says a text. */
function readMessage(config: Field, typeKey: string, textType: string) {
  const type = config.get(typeKey);
  if (type.value === textType || type.isEmpty) {
    if (!type.isEmpty) type.text();
    return readSpeech(config.get('customMessage'));
  }
  if (type.value === 'none') type.text();
  else type.lose('Tools say texts');
  config.get('customMessage').lose('The tool is silent');
  return undefined;
}

/** Builds the JSON Schema of arguments from Dograh's list of them. */
function readParameterList(parameters: Field): Record<string, unknown> | undefined {
  if (parameters.isEmpty) return undefined;
  const read = parameters.items().flatMap((one) => {
    const name = one.get('name').text();
    const type = one.get('type').choice('string', 'number', 'boolean', 'object', 'array');
    const description = readText(one.get('description'));
    const required = one.get('required').isEmpty ? true : one.get('required').boolean();
    return name
      ? [{ name, schema: { type: type ?? 'string', ...(description ? { description } : {}) }, required }]
      : [];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(read.map(({ name, schema }) => [name, schema])),
    required: read.filter(({ required }) => required).map(({ name }) => name),
  };
}

const toNamed = (fields: Field): NamedField[] =>
  fields.isEmpty ? [] : fields.entries().map(([name, field]) => ({ name, field }));

function mapHttpTool(tool: Field, config: Field, draft: Draft): void {
  tool.get('definition', 'type').text();
  const method = config.get('method');
  const verb = method.isEmpty ? 'POST' : (method.choice('GET', 'POST', 'PUT', 'PATCH', 'DELETE') ?? 'POST');
  config.get('preset_parameters').lose('The model fills in all arguments');
  config.get('body_template').lose('The body is the arguments as JSON');
  config.get('customMessageRecordingId').lose('Tools say texts');
  const ms = config.get('timeout_ms');
  const milliseconds = ms.isEmpty ? undefined : ms.number();
  addHttpTool(draft, {
    field: tool,
    name: tool.get('name'),
    description: tool.get('description'),
    url: config.get('url'),
    method: verb,
    headers: toNamed(config.get('headers')),
    credential: config.get('credential_uuid'),
    query: [],
    parameters: readParameterList(config.get('parameters')),
    seconds: { field: ms, value: milliseconds === undefined ? undefined : milliseconds / 1_000 },
    say: { start: readMessage(config, 'customMessageType', 'text') },
  });
}

function mapTransfer(tool: Field, config: Field, draft: Draft): void {
  tool.get('definition', 'type').text();
  const source = config.get('destination_source');
  if (!source.isEmpty && source.value !== 'static') {
    tool.lose('Calls are transferred to fixed destinations');
    return;
  }
  readWord(source, 'static');
  const description = tool.get('description');
  const purpose = description.isEmpty ? undefined : readPurpose(description);
  const destination = config.get('destination');
  config.get('timeout').lose('Your telephony decides how long it rings');
  config.get('parameters').lose('Its only argument is the destination');
  addTransferTool(draft, {
    field: tool,
    say: { start: readMessage(config, 'messageType', 'custom') },
    name: readToolName(tool.get('name')),
    description: purpose,
    destinations: [{ field: destination, to: readAddress(destination, 'tel'), when: purpose }],
  });
}

function mapMcp(tool: Field, config: Field, draft: Draft): void {
  tool.get('definition', 'type').text();
  const url = readServerUrl(config.get('url'));
  const name = readToolName(tool.get('name'));
  const credential = config.get('credential_uuid');
  const service = toServiceType(url ?? '');
  credential.withhold(`A credential of Dograh is not imported: save its key as the credential \`${service}\``);
  const filter = config.get('tools_filter');
  const allowed = filter.isEmpty ? [] : filter.items().map((one) => one.text());
  const transport = config.get('transport');
  if (!transport.isEmpty) transport.choice('streamable_http', 'sse');
  tool.get('description').lose('The MCP server describes its tools');
  if (!url || !name) {
    tool.lose(url ? 'It has no name' : 'It has no address');
    return;
  }
  draft.addServer(tool, {
    name,
    url,
    transport: transport.value === 'sse' ? 'sse' : 'streamable_http',
    credential: credential.isEmpty ? null : { service_type: service },
    ...(allowed.length > 0 ? { allowed_tools: allowed.filter((one) => one !== undefined) } : {}),
  });
}

/** Maps the models that a workflow chooses instead of the organization's. */
function mapConfiguration(configuration: Field, draft: Draft): void {
  const overrides = configuration.get('model_overrides');
  const parts: [Record<string, unknown>, string, string, string][] = [
    [draft.llm, 'llm', 'llm_provider', 'model'],
    [draft.voice, 'tts', 'tts_provider', 'tts_model'],
    [draft.transcriber, 'stt', 'stt_provider', 'stt_model'],
  ];
  for (const [target, key, providerKey, modelKey] of parts) {
    const service = overrides.get(key);
    if (service.isEmpty) continue;
    service.get('api_key').withhold('A key is not imported: save it as a credential');
    const provider = readVendorName(service.get('provider'));
    if (provider === 'dograh') {
      service.lose('Only Dograh hosts it: choose another');
      continue;
    }
    if (provider) target[providerKey] = toProvider(provider);
    const model = readVendorName(service.get('model'));
    if (model) target[modelKey] = model;
    draft.setSettings(target, service, { temperature: 'temperature', speed: 'speed', volume: 'volume' });
    if (key !== 'llm') draft.setLanguage(target, service.get('language'));
    if (key === 'tts') draft.setSettings(target, service, { voice: 'voice_id' });
  }
  const words = configuration.get('dictionary');
  const text = words.isEmpty ? undefined : words.text();
  if (text)
    draft.transcriber.keyterms = text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean);
  for (const key of ['max_call_duration', 'max_user_idle_timeout', 'ambient_noise_configuration'])
    configuration.get(key).lose('Your worker limits calls and plays sounds');
}
