import { describe, expect, test } from 'vitest';
import { documents, importers, listWarnings } from '../../support/import-documents.ts';

const find = (name: string) => {
  const found = documents.find((one) => one.name === name);
  if (!found) throw new Error(`No document ${name}`);
  return found;
};

/** Imports the only agent of a document in the form of an example. */
async function importExample(name: string) {
  const { read, document } = find(name);
  const result = await read(document);
  const [{ assistant, warnings } = { assistant: undefined, warnings: [] }] = result.assistants;
  if (!assistant) throw new Error(`${name} was refused`);
  const paths = (kind: string) => warnings.filter((one) => one.kind === kind).map(({ path }) => path);
  return { assistant, warnings, paths };
}

const importOne = async (platform: string, document: unknown) => {
  const result = await (importers[platform] ?? importers.vapi)?.(document);
  const [one] = result?.assistants ?? [];
  return { ...one, all: result ? listWarnings(result) : [] };
};

describe('an assistant of Vapi', () => {
  test('keeps its prompt, models, voice, tools and servers', async () => {
    const { assistant, paths } = await importExample('vapi/16-api-with-everything');
    expect(assistant).toMatchObject({
      name: 'Agent 01',
      llm: { llm_provider: 'anthropic', model: 'claude-sonnet-4-5-20250929', temperature: 0.4, max_tokens: 300 },
      voice: { tts_provider: 'rime', tts_model: 'mistv2', voice_id: 'cove', language: 'en', speed: 1.1 },
      transcriber: { stt_provider: 'assemblyai', stt_model: 'universal-streaming-multilingual', language: 'multi' },
      mcp_servers: [{ name: 'crm', transport: 'streamable_http', credential: { service_type: 'mcp.example.com' } }],
    });
    expect(assistant.tools?.map(({ type }) => type)).toEqual(['http', 'http', 'transfer', 'end_call']);
    const [order, slot] = assistant.tools ?? [];
    expect(order).toMatchObject({
      say: { start: expect.any(String), failure: expect.any(String) },
      http: {
        url: 'https://api.example.com/orders/{orderId}',
        query: { lang: 'en' },
        headers: { 'X-Team': expect.stringContaining('{{ name }}') },
        credential: { service_type: 'api.example.com', header: 'authorization', prefix: 'Bearer ' },
        timeout_seconds: 10,
      },
    });
    expect(order).toMatchObject({ parameters: { required: ['note', 'orderId'] } });
    expect(slot).toMatchObject({
      http: { method: 'POST', credential: { header: 'x-key' }, headers: { 'x-team': 'support' } },
    });
    expect(paths('secret')).toEqual(
      expect.arrayContaining([
        'model.tools[0].url',
        'model.tools[0].headers.properties.Authorization.value',
        'model.tools[1].server.secret',
        'credentials',
        'server.secret',
        'server.headers.Authorization',
      ]),
    );
    expect(paths('lost')).toEqual(
      expect.arrayContaining([
        'analysisPlan',
        'voice.fallbackPlan',
        'model.tools[5]',
        'model.tools[7]',
        'model.toolIds',
      ]),
    );
  });

  test('has the variables of its Liquid templates, with their names here', async () => {
    const { assistant } = await importExample('vapi/16-api-with-everything');
    expect(assistant.system_instruction).toContain('{% if call.from %}');
    expect(assistant.system_instruction).toContain('{{ customer_plan }}');
    expect(assistant.first_message).toContain('{{"now" | date: "%A", "Europe/Berlin"}}');
    expect(Object.keys(assistant.variables ?? {}).sort()).toEqual(['customer_plan', 'name']);
  });

  test('keeps braces that are no Liquid', async () => {
    const model = { messages: [{ role: 'system', content: 'Say {{ name | nothing }} and {% if %}, {{x}}.' }] };
    const { assistant, warnings } = await importOne('vapi', { model, firstMessage: 'Hi {{name}}' });
    expect(assistant?.system_instruction).toContain('{{ "{{" }} name | nothing }}');
    expect(assistant?.first_message).toBe('Hi {{name}}');
    expect(warnings).toContainEqual(expect.objectContaining({ kind: 'changed', path: 'model.messages[0].content' }));
  });

  test('waits for the caller if Vapi does, or if Vapi lets the model greet', async () => {
    const model = { messages: [{ role: 'system', content: 'Help.' }] };
    for (const firstMessageMode of [
      'assistant-waits-for-user',
      'assistant-speaks-first-with-model-generated-message',
    ]) {
      const { assistant } = await importOne('vapi', { model, firstMessage: 'Hi', firstMessageMode });
      expect(assistant?.first_message).toBeNull();
    }
  });

  test('comes out of a squad with each of its members', async () => {
    const { read, document } = find('vapi/15-squad');
    const { assistants, warnings } = await read(document);
    expect(assistants.length).toBe(5);
    expect(assistants.every(({ assistant }) => assistant)).toBe(true);
    expect(warnings.map(({ path }) => path)).toEqual(['id', 'name']);
  });
});

describe('an agent of Retell', () => {
  test('keeps its prompt, model, tools, server, time zone and variables', async () => {
    const { assistant, paths } = await importExample('retell/01-sdk-agent-with-llm');
    expect(assistant).toMatchObject({
      llm: { llm_provider: 'openai', model: 'gpt-4.1', temperature: 0.2 },
      voice: { tts_provider: 'elevenlabs', tts_model: 'eleven_flash_v2', speed: 1, emotion: 'calm', language: 'en-US' },
      transcriber: { stt_provider: 'azure', language: 'en-US', keyterms: ['retell', 'kroger'] },
      timezone: 'America/New_York',
      variables: { agent_persona: { default: null }, customer_name: { default: 'John' } },
      mcp_servers: [{ name: 'crm', allowed_tools: ['find_contact'], credential: { prefix: 'Bearer ' } }],
    });
    expect(assistant.voice?.voice_id).toBeUndefined();
    expect(assistant.system_instruction).toContain('{{ weekday }}, {{ date }}, {{ time }}');
    expect(assistant.system_instruction).toContain('{{ call.from }}');
    expect(assistant.tools).toMatchObject([
      { type: 'end_call' },
      {
        type: 'transfer',
        destinations: [{ to: expect.stringMatching(/^tel:\+1/) }],
        say: { start: expect.any(String) },
      },
      {
        type: 'http',
        name: 'look_up_order',
        http: { query: { page: '1' }, credential: { header: 'x-api-key', prefix: '' }, timeout_seconds: 10 },
      },
    ]);
    expect(paths('lost')).toEqual(
      expect.arrayContaining([
        'voice_id',
        'post_call_analysis_data',
        'retellLlmData.general_tools[2]',
        'guardrail_config',
      ]),
    );
    expect(paths('secret')).toContain('retellLlmData.mcps[0].headers.Authorization');
  });

  test('with several states has one prompt with a part for each', async () => {
    const { assistant, paths } = await importExample('retell/02-health-llm');
    expect(assistant.system_instruction).toContain('# Part greeting\n');
    expect(assistant.system_instruction).toMatch(/From part greeting go to part verify_identity, if this holds: /);
    expect(assistant.tools?.map(({ name }) => name)).toEqual([
      'end_call',
      'lookup_patient',
      'get_available_slots',
      'book_appointment',
    ]);
    expect(paths('changed')).toContain('states');
  });

  test('names what its states and its tools of one name lose', async () => {
    const edge = {
      destination_state_name: 'b',
      description: 'Done',
      parameters: { x: 1 },
      speak_during_transition: true,
    };
    const states = [
      { name: 'a', state_prompt: 'A', interruption_sensitivity: 1, edges: [edge] },
      { name: 'b', state_prompt: 'B' },
    ];
    const general_tools = [1, 2].map((odd) => ({ type: 'end_call', name: 'end', odd }));
    const { warnings } = await importOne('retell', { general_prompt: 'Help.', general_tools, states });
    expect(warnings?.filter(({ kind }) => kind === 'lost').map(({ path }) => path)).toEqual([
      'general_tools[0].odd',
      'general_tools[1].odd',
      'states[0].interruption_sensitivity',
      'states[0].edges[0].parameters',
      'states[0].edges[0].speak_during_transition',
    ]);
  });

  test('that is a conversation flow, or has a server as its model, is refused with the reason', async () => {
    const { read, document } = find('retell/07-flow');
    expect((await read(document)).assistants[0]?.refusal).toContain('conversation flow');
    const own = { agent_name: 'A', response_engine: { type: 'custom-llm', llm_websocket_url: 'wss://example.com' } };
    expect((await importOne('retell', own)).refusal).toContain('a server of yours');
    const bare = { agent_name: 'A', response_engine: { type: 'retell-llm', llm_id: 'llm_1' } };
    expect((await importOne('retell', bare)).refusal).toContain('import by the API');
  });

  test('keeps braces that are no variable', async () => {
    const document = {
      general_prompt: 'Say {% if %}, {{{name}}} and {{ }} to {{first name}}. {',
      model: 'claude-4.5-sonnet',
    };
    const { assistant } = await importOne('retell', document);
    expect(assistant?.variables).toEqual({ name: { default: null }, first_name: { default: null } });
    expect(assistant?.system_instruction).toBe(
      'Say {{ "{%" }} if %}, {{ "{" }}{{ name }}} and {{ "{{" }} }} to {{ first_name }}. {{ "{" }}',
    );
    expect(assistant?.llm).toMatchObject({ llm_provider: 'anthropic', model: 'claude-sonnet-4-5' });
  });

  test('without variables keeps all braces, and is no template', async () => {
    const { assistant } = await importOne('retell', { general_prompt: 'Say { and }} as they are.' });
    expect(assistant).toMatchObject({ variables: null, system_instruction: 'Say { and }} as they are.' });
  });
});

describe('an agent of ElevenLabs', () => {
  test('keeps its prompt, model, voice, time zone, variables and tools', async () => {
    const { assistant, paths } = await importExample('elevenlabs/10-api-with-everything');
    expect(assistant).toMatchObject({
      llm: {
        llm_provider: 'anthropic',
        model: 'claude-sonnet-4-5',
        temperature: 0.3,
        max_tokens: 300,
        reasoning_effort: 'low',
      },
      voice: { tts_provider: 'elevenlabs', tts_model: 'eleven_v3', voice_id: 'cjVigY5qzO86Huf0OWal', language: 'de' },
      transcriber: {
        stt_provider: 'elevenlabs',
        stt_model: 'scribe_v2_realtime',
        language: 'de',
        keyterms: ['Weber', 'Kroger'],
      },
      timezone: 'Europe/Berlin',
    });
    expect(assistant.variables).toEqual({
      user_name: { default: 'Ann' },
      visits: { default: '3' },
      is_member: { default: 'true' },
    });
    expect(assistant.first_message).toContain('{{ call.to }}');
    expect(assistant.tools).toMatchObject([
      {
        type: 'http',
        name: 'find_order',
        parameters: {
          properties: { order_id: { type: 'string' }, lang: { type: 'string' } },
          required: ['order_id', 'lang'],
        },
        http: { query: { kind: 'short' }, headers: { 'x-team': 'support', 'x-user': '{{ user_name }}' } },
      },
      {
        type: 'http',
        name: 'book_slot',
        parameters: {
          properties: { source: { enum: ['phone'] }, person: { properties: { name: { type: 'string' } } } },
        },
      },
      { type: 'end_call' },
    ]);
    expect(paths('lost')).toEqual(
      expect.arrayContaining([
        'conversation_config.turn',
        'platform_settings.data_collection',
        'conversation_config.agent.prompt.tool_ids',
        'conversation_config.agent.prompt.built_in_tools.voicemail_detection',
      ]),
    );
  });

  test('transfers to its numbers and SIP addresses', async () => {
    const { assistant } = await importExample('elevenlabs/05-docs-transfer');
    expect(assistant.tools).toMatchObject([
      {
        type: 'transfer',
        name: 'transfer_to_human',
        destinations: [{ to: expect.stringMatching(/^tel:\+1/) }, { to: 'sip:desk@sip.example.com' }],
      },
    ]);
  });

  test('of the list of agents is refused, because the list has no prompts', async () => {
    const { refusal } = await importOne('elevenlabs', { agents: [{ agent_id: 'a', name: 'One' }], has_more: false });
    expect(refusal).toBe('It is no agent of ElevenLabs');
  });
});

describe('a workflow of Dograh', () => {
  test('with one agent has one prompt, its tools and servers', async () => {
    const { assistant, paths } = await importExample('dograh/11-api-with-tools');
    expect(assistant).toMatchObject({
      llm: { llm_provider: 'openai', model: 'gpt-4.1' },
      voice: { tts_provider: 'elevenlabs', tts_model: 'eleven_flash_v2_5', voice_id: '21m00Tcm4TlvDq8ikWAM' },
      transcriber: { stt_provider: 'deepgram', stt_model: 'nova-3', language: 'multi', keyterms: ['Weber', 'Kroger'] },
      timezone: 'Asia/Kolkata',
      variables: { company_name: { default: 'Acme' }, first_name: { default: null } },
      mcp_servers: [{ name: 'crm', allowed_tools: ['find_contact'] }],
    });
    expect(assistant.tools?.map(({ type }) => type)).toEqual(['http', 'end_call', 'transfer']);
    expect(paths('secret')).toEqual(
      expect.arrayContaining([
        'workflow_configurations.model_overrides.llm.api_key',
        'tools[0].definition.config.headers.X-Api-Key',
        'tools[0].definition.config.credential_uuid',
      ]),
    );
  });

  test('joins the prompts of its steps, with the conditions between them', async () => {
    const { assistant } = await importExample('dograh/10-generated');
    expect(assistant.system_instruction).toMatch(
      /\n\nThen, if this holds: .+\n[\s\S]+\n\nTo end the call, if this holds: /,
    );
    expect(assistant.first_message).toContain('{{ contact_name | default: "there" }}');
    expect(assistant.tools?.map(({ type }) => type)).toEqual(['end_call']);
  });

  test('with several agents is refused with the reason', async () => {
    const { read, document } = find('dograh/05-branching');
    expect((await read(document)).assistants[0]?.refusal).toBe(
      'It has 3 agent nodes, and assistants have one prompt: write one from its nodes',
    );
  });
});

describe('a tool', () => {
  const model = (tool: object) => ({ model: { messages: [{ role: 'system', content: 'Help.' }], tools: [tool] } });

  test.each<[what: string, url: string, reason: string]>([
    ['a private address', 'http://10.0.0.1/x', 'http.url: Input should start with https://'],
    ['a private name', 'https://crm.internal/x', 'http.url: The host should be a public name'],
    ['a template as its host', 'https://{{host}}/x', 'http.url: The host should be a public name'],
    ['no address at all', 'soon', 'Its address is none that can be requested'],
    [
      'an address of a megabyte',
      `https://example.com/?${'a&'.repeat(500_000)}`,
      'Its address is none that can be requested',
    ],
  ])('with %s is lost with the reason', async (_, url, reason) => {
    const { assistant, warnings } = await importOne('vapi', model({ type: 'apiRequest', name: 'x', url }));
    expect(assistant?.tools).toEqual([]);
    expect(warnings).toContainEqual({ path: 'model.tools[0]', kind: 'lost', reason: expect.stringContaining(reason) });
  });

  test('with arguments that are no JSON Schema is lost with the place', async () => {
    const parameters = { type: 'object', properties: { a: { $ref: '#/x' } } };
    const tool = { type: 'function', function: { name: 'x', description: 'y', parameters } };
    const { warnings } = await importOne('vapi', model(tool));
    expect(warnings).toContainEqual({
      path: 'model.tools[0]',
      kind: 'lost',
      reason: 'parameters.properties.a.$ref: References are not supported: write the schema out',
    });
  });

  test('with the name of another gets a name of its own', async () => {
    const one = { type: 'function', function: { name: 'Find it', description: 'y' } };
    const document = { model: { messages: [{ role: 'system', content: 'Help.' }], tools: [one, one] } };
    const { assistant } = await importOne('vapi', document);
    expect(assistant?.tools?.map(({ name }) => name)).toEqual(['Find_it', 'Find_it_2']);
  });

  test('has no key as a value of its arguments', async () => {
    const parameters = {
      type: 'object',
      properties: {
        api_key: { type: 'string', default: 'hunter2', enum: ['hunter2'] },
        mode: { type: 'string', default: 'fast', enum: ['fast', 'slow'] },
        user: { type: 'object', properties: { id: { const: 'sk-proj-0123456789abcdefABCDEF' } } },
        default: { anyOf: [{ type: 'string', default: 'Bearer hunter2' }, { type: 'null' }] },
      },
      required: ['api_key'],
    };
    const tool = { type: 'function', function: { name: 'x', description: 'y', parameters } };
    const { assistant, warnings } = await importOne('vapi', model(tool));
    expect(assistant?.tools).toMatchObject([{ type: 'client' }]);
    expect(JSON.stringify(assistant)).not.toMatch(/hunter2|sk-proj|\*\*\*\*/);
    expect(assistant?.tools).toMatchObject([
      { parameters: { properties: { mode: { default: 'fast', enum: ['fast', 'slow'] } }, required: ['api_key'] } },
    ]);
    const at = 'model.tools[0].function.parameters';
    const secrets = warnings?.filter(({ kind, path }) => kind === 'secret' && path !== at).map(({ path }) => path);
    expect(secrets).toEqual([
      `${at}.properties.api_key.default`,
      `${at}.properties.api_key.enum`,
      `${at}.properties.user.properties.id.const`,
      `${at}.properties.default.anyOf[0].default`,
    ]);
  });

  test('of ElevenLabs sends no constant that is a key', async () => {
    const constant = (constant_value: string) => ({ type: 'string', constant_value });
    const properties = {
      api_key: constant('hunter2'),
      auth: { type: 'object', properties: { name: constant('hunter2'), of: { type: 'string' } } },
      source: constant('phone'),
    };
    const request_body_schema = { type: 'object', properties, required: ['api_key', 'source'] };
    const api_schema = { url: 'https://api.example.com/x', method: 'POST', request_body_schema };
    const tools = [{ type: 'webhook', name: 'x', description: 'y', api_schema }];
    const document = { conversation_config: { agent: { prompt: { prompt: 'Help.', tools } } } };
    const { assistant, warnings } = await importOne('elevenlabs', document);
    expect(assistant?.tools).toMatchObject([
      { parameters: { properties: { source: { enum: ['phone'] } }, required: ['source'] } },
    ]);
    expect(JSON.stringify(assistant)).not.toMatch(/hunter2|api_key/);
    const secrets = warnings?.filter(({ kind }) => kind === 'secret').map(({ path }) => path.replace(/.*schema/, ''));
    expect(secrets).toEqual(['.properties.api_key.constant_value', '.properties.auth.properties.name.constant_value']);
  });

  test('sends no second key, and no cookie', async () => {
    const headers = { Authorization: 'Bearer a', 'X-Api-Key': 'b', Cookie: 'c=d' };
    const tool = { type: 'custom', name: 'x', url: 'https://u:p@api.example.com/x?token=e&f=g', headers };
    const { assistant, warnings } = await importOne('retell', { general_prompt: 'Help.', general_tools: [tool] });
    expect(assistant?.tools).toMatchObject([
      {
        http: {
          url: 'https://api.example.com/x',
          query: { f: 'g' },
          headers: {},
          credential: { service_type: 'api.example.com', header: 'authorization', prefix: 'Bearer ' },
        },
      },
    ]);
    const secrets = warnings?.filter(({ kind }) => kind === 'secret').map(({ path }) => path);
    expect(new Set(secrets)).toEqual(
      new Set([
        'general_tools[0].url',
        'general_tools[0].headers.Authorization',
        'general_tools[0].headers.X-Api-Key',
        'general_tools[0].headers.Cookie',
      ]),
    );
  });

  test('beyond the 64th, the 16th server and the 100th variable is named', async () => {
    const tools = Array.from({ length: 70 }, (_, i) => ({ type: 'end_call', name: `end_${i}` }));
    const mcps = Array.from({ length: 20 }, (_, i) => ({ name: `s${i}`, url: `https://mcp${i}.example.com/mcp` }));
    const general_prompt = Array.from({ length: 110 }, (_, i) => `{{v${i}}}`).join(' ');
    const { assistant, warnings } = await importOne('retell', { general_prompt, general_tools: tools, mcps });
    expect([assistant?.tools?.length, assistant?.mcp_servers?.length]).toEqual([64, 16]);
    expect(Object.keys(assistant?.variables ?? {}).length).toBe(100);
    const lost = warnings?.filter(({ kind }) => kind === 'lost').map(({ path }) => path);
    expect(lost).toEqual(expect.arrayContaining(['general_tools[64]', 'general_tools[69]', 'mcps[16]', 'mcps[19]']));
    expect(assistant?.system_instruction).toContain('{{ "{{" }}v109}}');
  });
});

describe('an MCP server', () => {
  const url = 'https://u:p@mcp.example.com/mcp?api_key=hunter2&team=a%20b&token=hunter3#hunter4';
  const config = { url, name: 'crm' };
  const definition = { type: 'mcp', config: { url } };
  const nodes = [{ id: '1', type: 'startCall', data: { name: 'Start', prompt: 'Help.', tool_uuids: ['t1'] } }];

  test.each<[platform: string, document: object]>([
    [
      'vapi',
      {
        model: {
          messages: [{ role: 'system', content: 'Help.' }],
          tools: [{ type: 'mcp', name: 'crm', server: { url } }],
        },
      },
    ],
    ['retell', { general_prompt: 'Help.', mcps: [config] }],
    ['elevenlabs', { conversation_config: { agent: { prompt: { prompt: 'Help.', mcp_servers: [{ config }] } } } }],
    ['dograh', { workflow_definition: { nodes, edges: [] }, tools: [{ tool_uuid: 't1', name: 'crm', definition }] }],
  ])('of %s has no key in its address', async (platform, document) => {
    const { assistant, warnings } = await importOne(platform, document);
    expect(assistant?.mcp_servers).toMatchObject([{ name: 'crm', url: 'https://mcp.example.com/mcp?team=a%20b' }]);
    expect(warnings?.filter(({ kind }) => kind === 'secret')).toEqual([
      { path: expect.stringMatching(/url$/), kind: 'secret', reason: expect.stringContaining('A key in an address') },
      { path: expect.stringMatching(/url$/), kind: 'secret', reason: expect.stringContaining('A user name') },
    ]);
  });
});
