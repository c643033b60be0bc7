import { type Draft, type DraftTool, Refused } from './draft.ts';
import { addHttpTool, type NamedField, readHeaders, readServerUrl, toServiceType } from './http-tool.ts';
import { type Importer, importDocument } from './import-document.ts';
import { readVendorName, setModelByName, toProvider } from './providers.ts';
import type { Field } from './source.ts';
import {
  addTransferTool,
  readAddress,
  readParameters,
  readPurpose,
  readSpeech,
  readToolName,
  readWord,
} from './tool-parts.ts';

/** Our tags for the values that Retell fills in. */
const builtIns: Record<string, string> = {
  current_time: '{{ weekday }}, {{ date }}, {{ time }}',
  current_hour: '{{ time }}',
  current_calendar: '{{ weekday }}, {{ date }}',
  user_number: '{{ call.from }}',
  agent_number: '{{ call.to }}',
  direction: '{{ call.direction }}',
};

/** Translates a value that Retell fills in. Its name may end in a time zone: `current_time_Europe/Berlin`. */
const findOwnTag = (name: string): string | undefined => {
  const plain = name.replace(/^(current_(?:time|hour|calendar))_.+$/, '$1');
  return Object.hasOwn(builtIns, plain) ? builtIns[plain] : undefined;
};

const retell: Importer = {
  vendor: 'Retell',
  agent: 'agent',
  syntax: { findOwnTag, findTimeZone: (name) => /^current_(?:time|hour|calendar)_(.+)$/.exec(name)?.[1] },
  isAgent: (value) =>
    ['response_engine', 'retellLlmData', 'general_prompt', 'conversation_flow_id', 'conversationFlow'].some(
      (key) => key in value,
    ) ||
    'start_node_id' in value ||
    ('llm_id' in value && 'model' in value),
  findAgents: (document) => {
    for (const key of ['items', 'agents', 'results']) {
      const list = document.get(key);
      if (!list.isEmpty) {
        for (const paging of ['has_more', 'pagination_key']) document.get(paging).skip();
        return list.items();
      }
    }
    return [document.get('agent')].filter((one) => !one.isEmpty);
  },
  getLabel: ({ agent_name, agent_id, llm_id }) => agent_name ?? agent_id ?? llm_id,
  map: (agent, draft) => {
    const engine = agent.get('response_engine');
    refuseOthers(agent, engine);
    for (const key of ['agent_id', 'channel', 'last_modification_timestamp', 'version', 'base_version', 'is_published'])
      agent.get(key).skip();
    for (const key of ['version_title', 'assigned_tags']) agent.get(key).lose('Publish the assistant to get a version');
    draft.setName(agent.get('agent_name'));
    draft.setDescription(agent.get('version_description'));
    readWord(engine.get('type'), 'retell-llm');
    for (const key of ['llm_id', 'version']) engine.get(key).skip();
    mapVoice(agent, draft);
    draft.setTimezone(agent.get('timezone'));
    const llm = agent.get('retellLlmData');
    mapLlm(llm.isEmpty ? agent : llm, draft);
    for (const [key, reason] of Object.entries(reasons)) agent.get(key).lose(reason);
  },
};

/** Imports agents of Retell. Throws ImportError if the document holds none. */
export const importRetell = (document: unknown) => importDocument(document, retell);

/** Throws Refused for agents that no single prompt describes. */
function refuseOthers(agent: Field, engine: Field): void {
  const has = (key: string) => !agent.get(key).isEmpty;
  const type = engine.get('type').value;
  if (type === 'conversation-flow' || has('conversation_flow_id') || has('conversationFlow') || has('start_node_id'))
    throw new Refused('It is a conversation flow, and assistants have one prompt: write one from its nodes');
  if (type === 'custom-llm')
    throw new Refused('Its language model is a server of yours, so it has no prompt to import');
  const llm = agent.get('retellLlmData').isEmpty ? agent : agent.get('retellLlmData');
  if (llm === agent && has('response_engine') && !has('general_prompt'))
    throw new Refused('The document has no prompt: import by the API, which fetches it, or add it as `retellLlmData`');
}

/** Vendors of voices, by the beginning of Retell's name of a voice. */
const voiceVendors = ['11labs', 'cartesia', 'openai', 'minimax', 'deepgram', 'play', 'fish'];

/** Vendors of voices, by the beginning of a model's name. */
const modelVendors: [RegExp, string][] = [
  [/^eleven_/, 'elevenlabs'],
  [/^sonic/, 'cartesia'],
  [/^(?:tts-1|gpt-4o-mini-tts)/, 'openai'],
  [/^speech-/, 'minimax'],
  [/^s[12]/, 'fish'],
];

function mapVoice(agent: Field, draft: Draft): void {
  const { voice } = draft;
  const id = readVendorName(agent.get('voice_id'), 256);
  const model = readVendorName(agent.get('voice_model'));
  const beginning = id?.split('-')[0]?.toLowerCase() ?? '';
  const vendor =
    modelVendors.find(([pattern]) => model && pattern.test(model))?.[1] ??
    (voiceVendors.includes(beginning) ? toProvider(beginning) : undefined);
  if (id)
    agent
      .get('voice_id')
      .lose(
        vendor
          ? `It is Retell's name of a voice: choose one of ${vendor}`
          : 'Only Retell has this voice: choose another, or keep the default',
      );
  if (vendor) voice.tts_provider = vendor;
  if (model && vendor) voice.tts_model = model;
  else if (model) agent.get('voice_model').lose('No vendor is known to offer this model');
  draft.setSettings(voice, agent, {
    voice_speed: 'speed',
    voice_temperature: 'temperature',
    voice_emotion: 'emotion',
    volume: 'volume',
  });
  const language = agent.get('language');
  if (Array.isArray(language.value)) {
    const [first, ...others] = language.items();
    if (first) setLanguages(draft, first);
    for (const other of others) other.lose('Assistants have one language, or `multi`');
  } else setLanguages(draft, language);
  draft.setWords(draft.transcriber, agent.get('boosted_keywords'), 'keyterms');
  const provider = agent.get('custom_stt_config', 'provider');
  const name = readVendorName(provider);
  if (!name) return;
  draft.transcriber.stt_provider = toProvider(name);
  if (toProvider(name) !== 'deepgram') {
    provider.change('Choose one of its models for the transcriber');
    draft.transcriber.stt_model = 'default';
  }
}

function setLanguages(draft: Draft, field: Field): void {
  draft.setLanguage(draft.transcriber, field);
  if (field.value === 'multi') field.change('The voice speaks English: choose its language');
  else draft.setLanguage(draft.voice, field);
}

function mapLlm(llm: Field, draft: Draft): void {
  for (const key of ['llm_id', 'version', 'last_modification_timestamp', 'is_published']) llm.get(key).skip();
  draft.addPrompt(llm.get('general_prompt'));
  setModelByName(draft, llm.get('model'));
  draft.setSettings(draft.llm, llm, { model_temperature: 'temperature' });
  llm.get('s2s_model').lose('Assistants have a language model and a voice: the default model is used');
  mapFirstMessage(llm, draft);
  const variables = llm.get('default_dynamic_variables');
  for (const [name, field] of variables.isEmpty ? [] : variables.entries()) draft.templates.addDefault(name, field);
  const mcpTools: string[] = [];
  const mapTools = (tools: Field) => {
    for (const tool of tools.isEmpty ? [] : tools.items()) mapTool(tool, draft, mcpTools);
  };
  mapTools(llm.get('general_tools'));
  const states = llm.get('states').isEmpty ? [] : llm.get('states').items();
  for (const state of states) {
    mapState(state, states.length > 1, draft);
    mapTools(state.get('tools'));
  }
  if (states.length > 1) {
    llm.get('states').change('The model goes from state to state by itself, and has all tools in each');
    draft.addPrompt(llm.get('starting_state'), 'Begin with the part ');
  } else llm.get('starting_state').scalar();
  mapServers(llm.get('mcps'), draft, mcpTools);
  llm.get('knowledge_base_ids').lose('Upload its documents as knowledge bases, and attach them');
  llm.get('kb_config').lose('Set the limit of the tool that searches');
  llm.get('tool_call_strict_mode').lose('Arguments are always checked');
  llm.get('model_high_priority').lose('It is a service of Retell');
  llm.get('begin_after_user_silence_ms').lose('Your worker decides when to speak');
}

/** Adds a state to the prompt, under a heading if there are several. */
function mapState(state: Field, isPart: boolean, draft: Draft): void {
  const name = state.get('name').isEmpty ? undefined : state.get('name').text();
  draft.addPrompt(state.get('state_prompt'), isPart && name ? `# Part ${name}\n` : '');
  const edges = state.get('edges');
  if (!isPart) {
    edges.lose('There is no other state to go to');
    return;
  }
  for (const edge of edges.isEmpty ? [] : edges.items()) {
    const target = edge.get('destination_state_name').isEmpty ? undefined : edge.get('destination_state_name').text();
    const description = edge.get('description');
    draft.addPrompt(description, `From part ${name} go to part ${target}, if this holds: `);
    if (description.isEmpty) edge.lose('It does not say when to go there');
  }
}

function mapFirstMessage(llm: Field, draft: Draft): void {
  const speaker = llm.get('start_speaker');
  const message = llm.get('begin_message');
  if (speaker.value === 'user') {
    speaker.text();
    message.lose('The assistant waits for the caller');
    return;
  }
  readWord(speaker, 'agent');
  draft.setFirstMessage(message);
  if (message.isEmpty && message.value !== '')
    llm
      .get('general_prompt')
      .change('The assistant waits for the caller: write a first message if it should speak first');
}

/** Reads what the assistant says while a tool runs. */
function readSay(tool: Field): NonNullable<DraftTool['say']> {
  const text = tool.get('execution_message_description');
  const isSpoken = tool.get('speak_during_execution');
  const type = tool.get('execution_message_type');
  if (!isSpoken.isEmpty && isSpoken.boolean() === false) {
    text.lose('The tool is silent');
    type.lose('The tool is silent');
    return {};
  }
  if (type.value === 'prompt' || (type.isEmpty && !text.isEmpty)) {
    type.lose('Tools say fixed texts');
    text.lose('Tools say fixed texts, and this one is written by the model');
    return {};
  }
  readWord(type, 'static_text');
  return { start: readSpeech(text) };
}

const toNamed = (fields: Field): NamedField[] =>
  fields.isEmpty ? [] : fields.entries().map(([name, field]) => ({ name, field }));

/** Reasons why tools are not imported, by their type. */
const lostTools: Record<string, string> = {
  check_availability_cal: 'Assistants have no tool for Cal.com: call its API by an http tool',
  book_appointment_cal: 'Assistants have no tool for Cal.com: call its API by an http tool',
  agent_swap: 'Assistants cannot hand a call to another assistant',
  press_digit: 'Your worker presses digits',
  send_sms: 'Send messages by an http tool',
  code: 'Run the code in your worker, as a client tool',
  extract_dynamic_variable: 'Variables get their values before a call',
  bridge_transfer: 'Calls are transferred at once',
  cancel_transfer: 'Calls are transferred at once',
};

function mapTool(tool: Field, draft: Draft, mcpTools: string[]): void {
  const type = tool.get('type');
  tool.get('tool_id').skip();
  if (type.value === 'custom') mapCustom(tool, draft);
  else if (type.value === 'end_call') {
    type.text();
    const description = tool.get('description');
    draft.addTool({
      field: tool,
      say: readSay(tool),
      body: {
        type: 'end_call',
        name: readToolName(tool.get('name')) ?? 'end_call',
        ...(description.isEmpty ? {} : { description: readPurpose(description) }),
      },
    });
  } else if (type.value === 'transfer_call') mapTransfer(tool, draft);
  else if (type.value === 'mcp') {
    type.text();
    const name = tool.get('name').isEmpty ? undefined : tool.get('name').text();
    if (name) mcpTools.push(name);
    tool.get('mcp_id').skip();
    tool.get('description').lose('The MCP server describes its tools');
    for (const key of ['execution_message_description', 'execution_message_type', 'speak_during_execution'])
      tool.get(key).lose('Tools of MCP servers are silent');
  } else {
    tool.get('cal_api_key').withhold('A key is not imported');
    tool.lose(
      (Object.hasOwn(lostTools, String(type.value)) && lostTools[String(type.value)]) ||
        'Assistants have no tool of this type',
    );
  }
}

function mapCustom(tool: Field, draft: Draft): void {
  tool.get('type').text();
  const atRoot = tool.get('args_at_root');
  const isAtRoot = !atRoot.isEmpty && atRoot.boolean() === true;
  const method = tool.get('method');
  const url = tool.get('url');
  const verb = method.isEmpty ? 'POST' : (method.choice('GET', 'POST', 'PUT', 'PATCH', 'DELETE') ?? 'POST');
  if (!isAtRoot && verb !== 'GET')
    url.change('It gets the arguments as JSON, without the call that Retell puts around them');
  const kind = tool.get('parameter_type');
  if (kind.value === 'form') kind.lose('Arguments are sent as JSON');
  else readWord(kind, 'json');
  const ms = tool.get('timeout_ms');
  const milliseconds = ms.isEmpty ? undefined : ms.number();
  const speaksAfter = tool.get('speak_after_execution');
  if (speaksAfter.value === false) speaksAfter.lose('The assistant always speaks about the result');
  else if (!speaksAfter.isEmpty) speaksAfter.boolean();
  tool.get('response_variables').lose('The model reads the answer of a tool, and keeps no variables of it');
  tool.get('enable_typing_sound').lose('Your worker plays sounds');
  addHttpTool(draft, {
    field: tool,
    name: tool.get('name'),
    description: tool.get('description'),
    url,
    method: verb,
    headers: toNamed(tool.get('headers')),
    query: toNamed(tool.get('query_params')),
    parameters: readParameters(tool.get('parameters')),
    seconds: { field: ms, value: milliseconds === undefined ? undefined : milliseconds / 1_000 },
    say: readSay(tool),
  });
}

function mapTransfer(tool: Field, draft: Draft): void {
  tool.get('type').text();
  const destination = tool.get('transfer_destination');
  const description = tool.get('description');
  const number = tool.get('number').isEmpty ? destination.get('number') : tool.get('number');
  if (destination.get('type').value === 'inferred') {
    tool.lose('The model chooses among fixed destinations, and this one has none');
    return;
  }
  readWord(destination.get('type'), 'predefined');
  const purpose = description.isEmpty ? undefined : readPurpose(description);
  addTransferTool(draft, {
    field: tool,
    say: readSay(tool),
    name: readToolName(tool.get('name')),
    description: purpose,
    destinations: [{ field: destination, to: readAddress(number, 'tel'), when: purpose }],
  });
}

function mapServers(servers: Field, draft: Draft, tools: string[]): void {
  for (const server of servers.isEmpty ? [] : servers.items()) {
    for (const key of ['id', 'mcp_id']) server.get(key).skip();
    const url = readServerUrl(server.get('url'));
    const { headers, credential } = readHeaders(toNamed(server.get('headers')), toServiceType(url ?? ''));
    for (const [, { field }] of headers) field.lose('MCP servers get only a key');
    for (const { field } of toNamed(server.get('query_params')))
      field.withhold('Parameters of an MCP server are not imported, because they may be keys');
    const name = readToolName(server.get('name'));
    if (url && name) {
      draft.addServer(server, {
        name,
        url,
        credential,
        ...(tools.length > 0 ? { allowed_tools: tools.slice(0, 100) } : {}),
      });
    } else server.lose(url ? 'It has no name' : 'It has no address');
  }
}

/** Reasons for what assistants here do not have, by the field of an agent of Retell. */
const reasons: Record<string, string> = {
  post_call_analysis_data: 'Assistants have no analysis of calls: your worker or a webhook can do it',
  post_call_analysis_model: 'Assistants have no analysis of calls: your worker or a webhook can do it',
  webhook_url: 'Events of calls are sent by webhooks: create one',
  webhook_events: 'Events of calls are sent by webhooks: create one',
  webhook_timeout_ms: 'Events of calls are sent by webhooks: create one',
  voicemail_option: 'Your worker or your telephony detects voicemail',
  max_call_duration_ms: 'Your worker ends calls that are too long',
  end_call_after_silence_ms: 'Your worker ends silent calls',
  interruption_sensitivity: 'Your worker decides when to stop',
  responsiveness: 'Your worker decides when to speak',
  fallback_voice_ids: 'Assistants have one voice',
};
