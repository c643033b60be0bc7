import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { fetchWithRetry } from '../../infra/terminal/fetch-with-retry.ts';
import { type Assistant, defaultSettings } from '../../shared/schemas/assistant.ts';
import { createOtherUser, createUser, deployed, listFaults, type Reply } from '../support/api.ts';
import { createAssistant, minimal } from '../support/assistants.ts';

const user = await createUser();
const other = await createOtherUser();

/** Assistant that rejected updates must not change. */
const { body: target } = await createAssistant(user, { name: 'Kept' });

const post = (body: unknown, headers?: Record<string, string>) => user.post<Assistant>('/assistants', body, headers);
const put = (body: unknown, headers?: Record<string, string>) =>
  user.put<Assistant>(`/assistants/${target.id}`, body, headers);

const writes = [
  ['POST', post],
  ['PUT', put],
] as const;

/** Expects that nothing else was stored. On a deployed stack, where all test files share a user, checks only the target. */
async function expectNothingStored() {
  const { body } = await user.get<Assistant[]>('/assistants');
  expect(body.filter(({ id }) => !deployed || id === target.id)).toEqual([target]);
}

const locations = ['body', 'path', 'query', 'header', 'service'];

/** Expects an error with exactly these faults that repeats nothing of the request. */
function expectRejected(reply: Reply, status: number, expected: string[]) {
  expect(reply.status).toBe(status);
  expectErrorShape(reply);
  expect(listFaults(reply).sort()).toEqual([...expected].sort());
  expect(reply.text).not.toContain('canary');
}

function expectErrorShape({ body, headers }: Reply) {
  const { detail, ...rest } = body as { detail: { loc: string[]; msg: string; type: string }[] };
  expect(rest).toEqual({});
  expect(detail.length).toBeGreaterThan(0);
  for (const fault of detail) {
    expect(fault).toEqual({
      loc: fault.loc,
      msg: expect.stringMatching(/\w/),
      type: expect.stringMatching(/^[a-z_]+$/),
    });
    expect(locations).toContain(fault.loc[0]);
    expect(fault.loc.every((step) => typeof step === 'string')).toBe(true);
  }
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-request-id')).toMatch(/\S/);
}

/** Creates an assistant from raw JSON, expects a read to return the same, and deletes it. */
async function expectStored(sent: string, headers?: Record<string, string>): Promise<Reply<Assistant>> {
  const reply = await post(sent, headers);
  expect(reply.status).toBe(200);
  expect((await user.get(`/assistants/${reply.body.id}`)).body).toEqual(reply.body);
  await user.delete(`/assistants/${reply.body.id}`);
  return reply;
}

/** Builds the JSON of an assistant with raw fields. */
const buildJson = (fields: string) => `{"name":"N","system_instruction":"S",${fields}}`;

type Brackets = readonly [open: string, close: string];
const objects: Brackets = ['{"a":', '}'];
const lists: Brackets = ['[', ']'];

/** Nests objects or lists `levels` deep. */
const nest = (levels: number, [open, close] = objects) => `${open.repeat(levels)}1${close.repeat(levels)}`;

const settingTexts = {
  voice: ['voice_id', 'tts_provider', 'tts_model', 'language'],
  llm: ['llm_provider', 'model'],
  transcriber: ['stt_provider', 'stt_model', 'language'],
  knowledge_base: ['vectorstore_index', 'vectorstore_namespace'],
};
const textFields = ['name', 'system_instruction', 'description', 'first_message'];
const subObjects = [...Object.keys(settingTexts), 'transport'];
const namePaths = [
  ...['voice.tts_provider', 'voice.tts_model', 'llm.llm_provider', 'llm.model'],
  ...['transcriber.stt_provider', 'transcriber.stt_model'],
];

const fillKeys = (keys: readonly string[], value: unknown) => Object.fromEntries(keys.map((key) => [key, value]));

/** Sets every text field to the same value. */
const fillTexts = (value: unknown) => ({
  ...fillKeys(textFields, value),
  ...Object.fromEntries(Object.entries(settingTexts).map(([name, keys]) => [name, fillKeys(keys, value)])),
});
const textPaths = [
  ...textFields,
  ...Object.entries(settingTexts).flatMap(([name, keys]) => keys.map((key) => `${name}.${key}`)),
];

/** Sets every vendor and model name to the same value. */
const fillNames = (value: unknown) => ({
  voice: { tts_provider: value, tts_model: value },
  llm: { llm_provider: value, model: value },
  transcriber: { stt_provider: value, stt_model: value },
});

const toBodyFaults = (paths: readonly string[], type: string) => paths.map((path) => `body.${path}: ${type}`);

describe.each(writes)('a %s', (_method, write) => {
  describe('returns 422 for a body that is', () => {
    it.each([
      ['missing', undefined, 'missing'],
      ['empty', '', 'missing'],
      ['blank', ' \r\n\t', 'missing'],
      ['words', 'canary', 'json_invalid'],
      ['half an object', '{"name": "canary"', 'json_invalid'],
      ['a comma too many', '{"name": "canary",}', 'json_invalid'],
      ['single quotes', "{'name': 'canary'}", 'json_invalid'],
      ['two values', '{} {"name": "canary"}', 'json_invalid'],
      ['a comment', '{} // canary', 'json_invalid'],
      ['NaN', '{"name": NaN}', 'json_invalid'],
      ['a control character in a string', '{"name": "canary\u0001"}', 'json_invalid'],
      ['a form', 'name=canary', 'json_invalid'],
      ['null', 'null', 'dict_type'],
      ['a string', '"canary"', 'dict_type'],
      ['a number', '4711', 'dict_type'],
      ['a boolean', 'true', 'dict_type'],
      ['a list', '[{"name": "canary"}]', 'dict_type'],
      ['an empty list', '[]', 'dict_type'],
    ])('%s', async (_, body, type) => {
      expectRejected(await write(body, { 'content-type': 'application/json' }), 422, [`body: ${type}`]);
    });
  });

  it.each([[42], [true], [['canary']], [{ canary: 'canary' }]])('returns 422 with %j for every text', async (wrong) => {
    expectRejected(await write(fillTexts(wrong)), 422, toBodyFaults(textPaths, 'string_type'));
  });

  it.each([[42], ['canary'], [true], [['canary']], [[]], [null]])(
    'returns 422 with %j for every sub-object',
    async (wrong) => {
      expectRejected(
        await write({ ...minimal, ...fillKeys(subObjects, wrong) }),
        422,
        toBodyFaults(subObjects, 'dict_type'),
      );
    },
  );

  it.each([[42], ['canary'], [true], [['canary']], [[]]])('returns 422 with %j for sip_config', async (wrong) => {
    const body = { ...minimal, transport: { sip_config: wrong } };
    expectRejected(await write(body), 422, ['body.transport.sip_config: dict_type']);
  });

  it('returns 422 for blank names', async () => {
    for (const blank of ['', '   ', '\n\t', '\u3000\u00a0']) {
      const body = { ...minimal, name: blank, ...fillNames(blank) };
      expectRejected(await write(body), 422, toBodyFaults(['name', ...namePaths], 'string_blank'));
    }
  });

  it('returns 422 for an empty system_instruction', async () => {
    expectRejected(await write({ ...minimal, system_instruction: '' }), 422, [
      'body.system_instruction: string_too_short',
    ]);
  });

  it.each([
    ['letters', 'x'],
    ['emoji, each of them one character', '😀'],
  ])('returns 422 for texts that exceed their limit by one, counted in %s', async (_, letter) => {
    const body = {
      name: letter.repeat(201),
      system_instruction: 'x'.repeat(100_001),
      description: letter.repeat(2_001),
      first_message: letter.repeat(10_001),
      ...fillNames(letter.repeat(129)),
    };
    expectRejected(await write(body), 422, toBodyFaults([...textFields, ...namePaths], 'string_too_long'));
  });

  it('returns 422 for a system_instruction over 204,800 bytes, even with few characters', async () => {
    const body = { ...minimal, system_instruction: '€'.repeat(68_267) };
    expectRejected(await write(body), 422, ['body.system_instruction: bytes_too_long']);
  });

  it('returns 422 for a sip_config over 16 KB', async () => {
    for (const sip_config of [{ x: 'x'.repeat(16_377) }, { x: '€'.repeat(5_459) }]) {
      const body = { ...minimal, transport: { sip_config } };
      expectRejected(await write(body), 422, ['body.transport.sip_config: bytes_too_long']);
    }
  });

  it.each([
    '',
    ' ',
    'en ',
    ' en',
    '-en',
    'en-',
    'en--US',
    'en_-US',
    'en US',
    'en.US',
    'дe',
    'en\n',
    'en/canary',
    'x'.repeat(36),
  ])('returns 422 for the language %j', async (language) => {
    const body = { ...minimal, voice: { language }, transcriber: { language } };
    expectRejected(await write(body), 422, [
      'body.voice.language: language_code',
      'body.transcriber.language: language_code',
    ]);
  });

  it.each([
    ['NUL in a text', '"description":"canary\\u0000"', 'body.description: string_unicode'],
    ['NUL in a vendor’s setting', '"llm":{"k":["canary\\u0000"]}', 'body.llm.k.0: string_unicode'],
    ['NUL in a key', '"llm":{"canary\\u0000":1}', 'body.llm: invalid_key'],
    ['half a surrogate pair', '"name":"canary\\ud83d"', 'body.name: string_unicode'],
    ['the other half', '"voice":{"k":"\\ude00canary"}', 'body.voice.k: string_unicode'],
    ['a pair the wrong way round', '"voice":{"k":"\\ude00\\ud83d"}', 'body.voice.k: string_unicode'],
    ['half a pair in a key', '"transport":{"sip_config":{"\\ud83d":1}}', 'body.transport.sip_config: invalid_key'],
    ['half a pair in a key at the top', '"\\ud83d":1', 'body: invalid_key'],
    ['a number beyond 2^53', '"llm":{"k":9007199254740993}', 'body.llm.k: int_too_large'],
    ['a number below -2^53', '"llm":{"k":-9007199254740993}', 'body.llm.k: int_too_large'],
    ['a large whole number in another form', '"llm":{"k":1e300}', 'body.llm.k: int_too_large'],
    ['a number above the range of doubles', '"llm":{"k":[1e400]}', 'body.llm.k.0: finite_number'],
    ['a number below the range of doubles', '"llm":{"k":-1e400}', 'body.llm.k: finite_number'],
    ['__proto__ at the top', '"__proto__":{"canary":1}', 'body: invalid_key'],
    ['__proto__ in a sub-object', '"llm":{"__proto__":{"canary":1}}', 'body.llm: invalid_key'],
    ['__proto__ deep inside', '"llm":{"a":[{"__proto__":"canary"}]}', 'body.llm.a.0: invalid_key'],
    ['__proto__ in an escaped form', '"llm":{"\\u005f_proto__":null}', 'body.llm: invalid_key'],
    ['constructor.prototype', '"llm":{"constructor":{"prototype":{"canary":1}}}', 'body.llm: invalid_key'],
    ['constructor at the top', '"constructor":"canary"', 'body: invalid_key'],
    ['constructor in a sub-object', '"llm":{"constructor":"canary"}', 'body.llm: invalid_key'],
    ['prototype deep inside', '"llm":{"a":[{"prototype":"canary"}]}', 'body.llm.a.0: invalid_key'],
    ['33 levels of objects', `"llm":${nest(32)}`, 'body: nesting_too_deep'],
    ['33 levels of lists', `"llm":{"a":${nest(31, lists)}}`, 'body: nesting_too_deep'],
    ['33 levels in an unknown field', `"canary":${nest(32)}`, 'body: nesting_too_deep'],
  ])('returns 422 for %s', async (_, fields, fault) => {
    expectRejected(await write(buildJson(fields)), 422, [fault]);
  });

  it('returns 422 for bytes that are not UTF-8, instead of replacing them', async () => {
    const body = Buffer.from(buildJson('"description":"canary \xff","llm":{"\xc3":1}'), 'latin1');
    expectRejected(await write(body), 422, ['body.description: string_unicode', 'body.llm: invalid_key']);
  });

  it.each([
    ['objects', objects],
    ['lists', lists],
  ] as const)('returns 422 for 40,000 nested %s, alone or in a field', async (_, brackets) => {
    for (const body of [nest(40_000, brackets), buildJson(`"llm":{"a":${nest(40_000, brackets)}}`)]) {
      const reply = await write(body);
      expect(reply.status).toBe(422);
      expect(listFaults(reply)).toEqual(['body: nesting_too_deep']);
    }
  });

  it('returns 413 for a body that is too large, before parsing it', async () => {
    const fields = ['[{}', ',{}'.repeat(600_000), ']'].join('');
    for (const body of [nest(300_000, lists), nest(300_000, objects), buildJson(`"llm":{"a":${fields}}`)]) {
      const reply = await write(body);
      expect(reply.status).toBe(413);
      expect(listFaults(reply)).toEqual(['body: too_large']);
    }
  });

  it('keeps fault locations short, even with long keys', async () => {
    const many = Array.from({ length: 100 }, () => '"\\u0000"').join(',');
    const reply = await write(buildJson(`"llm":{"${'k'.repeat(250_000)}":[${many}]}`));
    expect(reply.status).toBe(422);
    expect(listFaults(reply)).toHaveLength(100);
    expect(reply.text.length).toBeLessThan(64 * 1024);
  });

  it('returns 413 with the limit for a body of 301 KB', async () => {
    for (const body of [
      { ...minimal, llm: { k: 'x'.repeat(301 * 1024) } },
      { ...minimal, unknown: ['x'.repeat(301 * 1024)] },
    ]) {
      const reply = await write(body);
      expectRejected(reply, 413, ['body: too_large']);
      expect(reply.text).toContain('300 KB');
    }
  });

  it('returns 413 for any body of 3 MB', async () => {
    for (const body of ['x'.repeat(3 * 2 ** 20), `{}${' '.repeat(3 * 2 ** 20)}`, nest(500_000)]) {
      expectRejected(await write(body), 413, ['body: too_large']);
    }
  });

  it('returns 413 in the error shape of the platform for a body over 6 MB', async () => {
    for (const megabytes of [6.5, 11]) {
      const { status, body } = await write(JSON.stringify({ ...minimal, llm: { k: 'x'.repeat(megabytes * 2 ** 20) } }));
      expect(status).toBe(413);
      expect(body).not.toHaveProperty('detail');
    }
  });

  it.each([
    'text/plain',
    'text/json',
    'application/jsonx',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'application/json, text/plain',
    'application',
    'json',
    'canary/json',
    'multipart/form-data; boundary=canary',
    'application/jsonp; profile=application/json',
  ])('returns 415 for the type %s, before validating the body', async (type) => {
    const headers = { 'content-type': type };
    expectRejected(await write('{"name": canary', headers), 415, ['header.content-type: unsupported_media_type']);
  });

  it('returns 415 for another type, even if the body is missing or too large', async () => {
    for (const body of [undefined, 'x'.repeat(400_000)]) {
      const reply = await write(body, { 'content-type': 'text/plain' });
      expectRejected(reply, 415, ['header.content-type: unsupported_media_type']);
    }
  });

  it('stores nothing if it is rejected, and the service still responds', async () => {
    await expectNothingStored();
    expect((await user.get(`/assistants/${target.id}`)).body).toEqual(target);
  });
});

describe('a request with several faults', () => {
  it('gets all faults of its path, headers and body together', async () => {
    const body = {
      name: ' ',
      description: 7,
      llm: [],
      voice: { language: 'canary!', tts_model: '' },
      unknown: '\0canary',
    };
    const reply = await user.put('/assistants/canary', body, { 'if-match': 'canary' });
    expectRejected(reply, 422, [
      'path.assistant_id: uuid_parsing',
      'header.if-match: etag_parsing',
      'body.name: string_blank',
      'body.description: string_type',
      'body.llm: dict_type',
      'body.voice.language: language_code',
      'body.voice.tts_model: string_blank',
      'body.unknown: string_unicode',
    ]);
  });

  it.each([
    ['missing', '', 'body: missing'],
    ['malformed', '{"name": canary', 'body: json_invalid'],
    ['too deep', buildJson(`"llm":${nest(40)}`), 'body: nesting_too_deep'],
    ['a list', '["canary"]', 'body: dict_type'],
  ])('gets the faults of its path and headers even if its body is %s', async (_, body, fault) => {
    const reply = await user.put('/assistants/canary', body, { 'if-match': 'canary' });
    expectRejected(reply, 422, ['path.assistant_id: uuid_parsing', 'header.if-match: etag_parsing', fault]);
  });

  it('gets the faults of its Idempotency-Key and body together', async () => {
    const reply = await post({ name: '' }, { 'idempotency-key': 'canary'.repeat(50) });
    expectRejected(reply, 422, [
      'header.idempotency-key: string_length',
      'body.name: string_blank',
      'body.system_instruction: missing',
    ]);
  });

  it('gets all faults of a DELETE', async () => {
    const reply = await user.delete('/assistants/canary', { 'if-match': 'canary' });
    expectRejected(reply, 422, ['path.assistant_id: uuid_parsing', 'header.if-match: etag_parsing']);
  });

  it('gets all faults of its query', async () => {
    const reply = await user.get(`/assistants?limit=canary&cursor=&name=${'canary'.repeat(50)}`);
    expectRejected(reply, 422, ['query.limit: int_parsing', 'query.cursor: cursor', 'query.name: string_too_long']);
  });

  it('gets the faults of a damaged cursor and the rest of its query together', async () => {
    const reply = await user.get('/assistants?limit=0&cursor=canary');
    expectRejected(reply, 422, ['query.limit: greater_than_equal', 'query.cursor: cursor']);
  });

  it('gets a fault for each missing field', async () => {
    expectRejected(await post({}), 422, ['body.name: missing', 'body.system_instruction: missing']);
  });

  it('gets at most a hundred faults, and stores nothing', async () => {
    const reply = await post({ ...minimal, llm: { k: Array(5_000).fill('\0') } });
    expect(reply.status).toBe(422);
    expect(listFaults(reply)).toHaveLength(100);
    await expectNothingStored();
  });
});

describe('null', () => {
  it('on create is accepted for description, first_message and settings that default to null', async () => {
    const { status, body } = await createAssistant(user, {
      description: null,
      first_message: null,
      voice: { voice_id: null },
      knowledge_base: { vectorstore_index: null, vectorstore_namespace: null },
      llm: { temperature: null },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      description: null,
      first_message: null,
      voice: { voice_id: null },
      knowledge_base: { vectorstore_index: null, vectorstore_namespace: null },
      llm: { temperature: null },
    });
  });

  it('on create returns 422 for every other field', async () => {
    const body = {
      name: null,
      system_instruction: null,
      ...fillNames(null),
      transport: { sip_config: null },
    };
    expectRejected(await post(body), 422, [
      ...toBodyFaults(['name', 'system_instruction', ...namePaths], 'string_type'),
      'body.transport.sip_config: dict_type',
    ]);
    const languages = { voice: { language: null }, transcriber: { language: null } };
    expectRejected(
      await post({ ...minimal, ...languages }),
      422,
      toBodyFaults(['voice.language', 'transcriber.language'], 'string_type'),
    );
  });

  it('on update resets each key of a sub-object to its default, or removes a key without one', async () => {
    const { body } = await createAssistant(user, {
      voice: { voice_id: 'v', tts_provider: 'p', tts_model: 'm', language: 'de', speed: 2 },
      llm: { llm_provider: 'p', model: 'm', temperature: 1, tools: { a: null } },
      transcriber: { stt_provider: 'p', stt_model: 'm', language: 'de' },
      knowledge_base: { vectorstore_index: 'i', vectorstore_namespace: 'n' },
      transport: { sip_config: { a: 1 } },
    });
    const reply = await user.put<Assistant>(`/assistants/${body.id}`, {
      voice: { ...fillKeys(settingTexts.voice, null), speed: null },
      llm: { ...fillKeys(settingTexts.llm, null), temperature: null },
      transcriber: fillKeys(settingTexts.transcriber, null),
      knowledge_base: fillKeys(settingTexts.knowledge_base, null),
      transport: { sip_config: null },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ ...defaultSettings, llm: { ...defaultSettings.llm, tools: { a: null } } });
    expect(reply.body.voice).not.toHaveProperty('speed');
    expect(reply.body.llm).not.toHaveProperty('temperature');
  });
});

describe('a body within the limits', () => {
  it('can have texts of maximum length, in characters of two code units', async () => {
    const fields = {
      name: '😀'.repeat(200),
      system_instruction: 'x'.repeat(100_000),
      description: '😀'.repeat(2_000),
      first_message: '😀'.repeat(10_000),
      ...fillNames('😀'.repeat(128)),
    };
    const { status, body } = await createAssistant(user, fields);
    expect(status).toBe(200);
    expect(body).toMatchObject(fields);
    expect((await user.get(`/assistants/${body.id}`)).body).toEqual(body);
  });

  it('can have a system_instruction of 204,798 bytes, of one letter, or a blank one', async () => {
    for (const system_instruction of ['€'.repeat(68_266), 'x', ' ']) {
      expect((await createAssistant(user, { system_instruction })).body.system_instruction).toBe(system_instruction);
    }
  });

  it('can have an empty description and first_message', async () => {
    const { body } = await createAssistant(user, { description: '', first_message: '' });
    expect(body).toMatchObject({ description: '', first_message: '' });
  });

  it('can have a sip_config of 16 KB, on create and on update', async () => {
    const sip_config = { x: 'x'.repeat(16_376) };
    const { body } = await createAssistant(user, { transport: { sip_config } });
    expect(body.transport).toEqual({ sip_config });
    const { body: updated } = await user.put<Assistant>(`/assistants/${body.id}`, {
      transport: { sip_config: { y: 1 } },
    });
    expect(updated.transport).toEqual({ sip_config: { y: 1 } });
    expect((await user.put<Assistant>(`/assistants/${body.id}`, { transport: { sip_config } })).body.transport).toEqual(
      {
        sip_config,
      },
    );
  });

  it.each(['en', 'en-US', 'cmn-Hans-CN', 'en_US', 'multi', 'auto', 'es-419', 'X', '1', 'x'.repeat(35)])(
    'can have the language %s',
    async (language) => {
      const { body } = await createAssistant(user, { voice: { language }, transcriber: { language } });
      expect([body.voice.language, body.transcriber.language]).toEqual([language, language]);
    },
  );

  it('can have 32 levels of nesting', async () => {
    await expectStored(buildJson(`"llm":${nest(31)}`));
    await expectStored(buildJson(`"transport":{"sip_config":${nest(30)}}`));
    await expectStored(buildJson(`"llm":{"a":${nest(30, lists)}}`));
  });

  it('stores the last of duplicate keys', async () => {
    const { body } = await expectStored(buildJson('"name":"First","name":"Last","llm":{"k":1},"llm":{"k":2,"k":3}'));
    expect([body.name, body.llm.k]).toEqual(['Last', 3]);
  });

  it('can be large through escapes and white space only', async () => {
    const { body } = await expectStored(
      buildJson(`"llm":{"k":"${'\\u0078'.repeat(200_000)}"},"voice":{}${' '.repeat(300_000)}`),
    );
    expect(body.llm.k).toBe('x'.repeat(200_000));
  });

  it('can have escaped surrogate pairs and any other character', async () => {
    const odd = '\u0001\u007f\u0085\u2028\ufeff\uffff\u{10ffff}é\u0301"\\/';
    const { body } = await expectStored(
      buildJson(`"description":"\\ud83d\\ude00","first_message":${JSON.stringify(odd)}`),
    );
    expect([body.description, body.first_message]).toEqual(['😀', odd]);
  });
});

describe("a vendor's setting", () => {
  it.each([
    'null',
    'true',
    'false',
    '0',
    '0.1',
    '-0.5',
    '1e-310',
    '5e-324',
    '123456789.123456789',
    '9007199254740991',
    '-9007199254740991',
    '1.5e15',
    '""',
    '"\\u0001\\n"',
    '[]',
    '{}',
    '[null,[],{}]',
    '{"":""}',
    '{"":{"":[]}}',
    '{"ключ":"値","😀":1,"a.b":2,"a/b":3,"$ref":4,"#":5,":x":6}',
    '{"toString":1,"hasOwnProperty":2,"valueOf":3,"length":4,"then":5,"toJSON":6}',
    '{"S":"dynamo","N":"1","NULL":true,"wrapNumbers":{}}',
    '{"10":1,"9":2,"a":3}',
    '{"revision":1,"id":"x","settings":"{}","pk":"x","sk":"y"}',
    nest(29),
    nest(29, lists),
  ])('of %s is returned unchanged from every sub-object', async (value) => {
    const open = `{"k":${value},"":${value},"ü":${value}}`;
    const { body } = await expectStored(
      buildJson(
        `${subObjects.map((name) => `"${name}":${open}`).join()},"transport":{"sip_config":${open},"k":${value}}`,
      ),
    );
    const sent = JSON.parse(open);
    for (const name of ['voice', 'llm', 'transcriber', 'knowledge_base'] as const) {
      expect(body[name]).toEqual({ ...defaultSettings[name], ...sent });
    }
    expect(body.transport).toEqual({ sip_config: sent, k: sent.k });
  });

  it('may be minus zero, which JSON treats as zero', async () => {
    const { body } = await expectStored(buildJson('"llm":{"k":-0.0}'));
    expect(body.llm.k).toBe(0);
  });

  it('survives an update of other settings', async () => {
    const llm = { tiny: 1e-310, deep: JSON.parse(nest(29)), '': [null], ключ: '値' };
    const { body } = await createAssistant(user, { llm });
    const reply = await user.put<Assistant>(`/assistants/${body.id}`, { llm: { top_p: 0.1 } });
    expect(reply.body.llm).toEqual({ ...defaultSettings.llm, ...llm, top_p: 0.1 });
  });
});

describe('a setting or vendor that looks mistyped', () => {
  const getSuggestions = ({ headers }: Reply) => headers.get('x-did-you-mean');

  it('is stored, and reported with a suggestion', async () => {
    const voice = { spede: 1.2, tts_provider: 'Cartesio', speed_of_light: 1 };
    const created = await createAssistant(user, { voice, llm: { llm_provider: 'opnai', température: 0.5 } });
    expect(created.body.voice).toMatchObject(voice);
    expect(getSuggestions(created)).toBe(
      'voice.tts_provider=cartesia, voice.spede=speed, llm.llm_provider=openai, llm.temp%C3%A9rature=temperature',
    );
    const path = `/assistants/${created.body.id}`;
    expect(getSuggestions(await user.put(path, { transcriber: { languge: 'de' } }))).toBe(
      'transcriber.languge=language',
    );
    // Nothing is mistyped, except a key that the update removes.
    expect(
      getSuggestions(await user.put(path, { voice: { spede: null, speed: 1.2, tts_provider: 'open-ai' } })),
    ).toBeNull();
  });
});

describe('an unknown field', () => {
  const odd = { temprature: 1, 'a,b': 2, 'a\nb': 3, 'a\r\nx-canary: 1': 4, '😀': 5, 'a b': 6, '"': 7, '%2C': 8, é: 9 };
  const getIgnoredFields = ({ headers }: Reply) => headers.get('x-ignored-fields')?.split(', ').map(decodeURIComponent);

  it('is ignored, and reported in a header that is valid for any name', async () => {
    const created = await createAssistant(user, odd);
    expect(created.status).toBe(200);
    expect(getIgnoredFields(created)).toEqual(Object.keys(odd));
    expect(created.headers.get('x-canary')).toBeNull();
    for (const name of Object.keys(odd)) expect(created.body).not.toHaveProperty([name]);
    const updated = await user.put(`/assistants/${created.body.id}`, { ...odd, name: 'New' });
    expect(getIgnoredFields(updated)).toEqual(Object.keys(odd));
  });

  it('is not reported if it is read-only or in a sub-object', async () => {
    const readOnly = { id: randomUUID(), user_id: 7, attached_knowledge_bases: 'x', created_at: null, updated_at: [] };
    const created = await createAssistant(user, { ...readOnly, llm: { temperature: 1 } });
    expect(created.headers.get('x-ignored-fields')).toBeNull();
    expect(created.body).toMatchObject({ attached_knowledge_bases: [], created_at: expect.stringMatching(/^\d/) });
    expect(created.body.id).not.toBe(readOnly.id);
    const updated = await user.put<Assistant>(`/assistants/${created.body.id}`, { ...readOnly, typo: 1 });
    expect(getIgnoredFields(updated)).toEqual(['typo']);
    expect(updated.body.id).toBe(created.body.id);
    expect(updated.body.created_at).toBe(created.body.created_at);
  });

  it('is reported with its full name or not at all', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${'é'.repeat(i)}${i}`, i]));
    const reply = await createAssistant(user, many);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-ignored-fields')?.length).toBeLessThanOrEqual(1_000);
    const named = getIgnoredFields(reply) ?? [];
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(Object.keys(many)).toContain(name);
  });
});

describe('an unknown parameter', () => {
  it('is ignored and reported, on lists and on routes without parameters', async () => {
    const ignored = async (path: string) => (await user.get(path)).headers.get('x-ignored-fields');
    expect(await ignored('/logs/chat-sessions?participant_name=x&limit=2')).toBe('participant_name');
    expect(await ignored('/assistants?a%2Cb=1&name=x')).toBe('a%2Cb');
    expect(await ignored('/api-keys?limit=1')).toBe('limit');
    expect(await ignored('/chat?limit=1&skip=0')).toBeNull();
  });
});

describe('the content type of a body', () => {
  const sent = JSON.stringify(minimal);

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8;version="1"',
    'application/json ; a=b',
    'APPLICATION/JSON',
    'application/vnd.x+json',
    'Application/Problem+JSON; charset=utf-8',
    'application/merge-patch+json',
    'application/vnd.a_b.c-d+json',
    'model/gltf+json',
    'application/vnd.a!b+json',
  ])('may be %s', async (type) => {
    await expectStored(sent, { 'content-type': type });
  });

  it('may be missing or empty', async () => {
    const { body } = await createAssistant(user);
    for (const headers of [{}, { 'content-type': '' }]) {
      const response = await fetchWithRetry(`${inject('baseUrl')}/assistants/${body.id}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${user.token}`, ...headers },
        body: new TextEncoder().encode('{"name":"Untyped"}'), // fetch adds a type to a string
      });
      expect([response.status, await response.json()]).toMatchObject([200, { name: 'Untyped' }]);
    }
  });
});

/** Sends a GET request with the exact path. `fetch` would resolve its dots. */
async function getRaw(path: string, headers: Record<string, string> = {}): Promise<Reply> {
  const base = new URL(inject('baseUrl'));
  const request = base.protocol === 'https:' ? httpsRequest : httpRequest;
  for (;;) {
    const reply = await new Promise<Reply>((resolve, reject) => {
      const options = {
        path: base.pathname.replace(/\/$/, '') + path,
        headers: { authorization: `Bearer ${user.token}`, ...headers },
      };
      request(base, options, async (response) => {
        const text = await readText(response);
        const pairs = Object.entries(response.headersDistinct).flatMap(([name, values]) =>
          (values ?? []).map((value) => [name, value] as [string, string]),
        );
        resolve({ status: response.statusCode ?? 0, headers: new Headers(pairs), body: JSON.parse(text), text });
      })
        .on('error', reject)
        .end();
    });
    if (reply.status !== 429) return reply;
    await sleep(100);
  }
}

describe('an id', () => {
  const id = target.id;

  it.each([
    ['upper case', id.toUpperCase()],
    ['a slash at its end', `${id}/`],
    ['upper case and a slash', `${id.toUpperCase()}/`],
    ['an unknown query', `${id}?a=1&%00=%ff`],
  ])('may have %s', async (_, tail) => {
    const { status, body } = await getRaw(`/assistants/${tail}`);
    expect([status, body]).toEqual([200, target]);
  });

  it.each([
    'canary',
    '1',
    `${id}x`,
    id.slice(1),
    id.replaceAll('-', ''),
    id.replace('-', '_'),
    `%7B${id}%7D`,
    `{${id}}`,
    `urn:uuid:${id}`,
    `%20${id}`,
    `${id}%00`,
    `${id}%0A`,
    '%2F',
    `..%2Fassistants%2F${id}`,
    '%2e%2e',
    '..',
    '.',
    '%zz',
    '%',
    '%ff',
    '*',
    'null',
    '__proto__',
    'constructor',
    'ASSISTANT%23',
    'x'.repeat(4_000),
  ])('returns 422 if it is not a UUID: %s', async (bad) => {
    const reply = await getRaw(`/assistants/${bad}`);
    expectRejected(reply, 422, ['path.assistant_id: uuid_parsing']);
    expect(reply.text).not.toContain(id);
  });

  it.each(['', '/language-config'])('returns 422 for every method if it is not a UUID: %s', async (tail) => {
    expectRejected(await user.get(`/assistants/canary${tail}`), 422, ['path.assistant_id: uuid_parsing']);
    if (tail) return;
    expectRejected(await user.delete('/assistants/canary'), 422, ['path.assistant_id: uuid_parsing']);
    expectRejected(await user.put('/assistants/canary', {}), 422, ['path.assistant_id: uuid_parsing']);
  });

  it.each([
    `/assistants//${id}`,
    `/assistants/${id}//`,
    `//assistants/${id}`,
    `//assistants`,
    '/assistants//',
    `/assistants/${id}//language-config`,
    `/assistants/./${id}`,
    `/protected/../assistants/${id}`,
    `/assistants/${id}/..`,
    `/assistants%2F${id}`,
    `/assistants;x=1/${id}`,
    `/Assistants/${id}`,
  ])('returns 404 in an invalid path: %s', async (path) => {
    expectRejected(await getRaw(path), 404, ['path: not_found']);
  });

  it("of another user's assistant looks like an unknown one for any method, body and headers", async () => {
    const normalize = ({ status, headers, text }: Reply) => {
      const changing = ['date', 'x-request-id'];
      return [status, text, [...headers].filter(([name]) => !changing.includes(name))];
    };
    const unknown = '01980000-0000-7000-8000-000000000000';
    const requests: [number, (path: string) => Promise<Reply>][] = [
      [404, (path) => other.get(path)],
      [404, (path) => other.get(`${path}/language-config`)],
      [404, (path) => other.get(path, { 'if-none-match': '*' })],
      [404, (path) => other.put(path, { name: 'Mine' })],
      [404, (path) => other.put(path, {})],
      [404, (path) => other.put(path, { name: 'Mine' }, { 'if-match': '"1-x"' })],
      [404, (path) => other.delete(path)],
      [404, (path) => other.delete(path, { 'if-match': '"1-x"' })],
      [422, (path) => other.put(path, { name: '' })],
      [413, (path) => other.put(path, { llm: { k: 'x'.repeat(310_000) } })],
      [413, (path) => other.put(path, 'x'.repeat(2.5 * 2 ** 20))],
      [405, (path) => other.post(path, {})],
    ];
    for (const [status, ask] of requests) {
      const foreign = await ask(`/assistants/${id}`);
      expect(foreign.status).toBe(status);
      expect(normalize(foreign)).toEqual(normalize(await ask(`/assistants/${unknown}`)));
    }
    expect((await user.get(`/assistants/${id}`)).body).toEqual(target);
  });
});

describe('the query of the list', () => {
  it.each([
    ['limit=0', 'query.limit: greater_than_equal'],
    ['limit=-1', 'query.limit: greater_than_equal'],
    ['limit=1001', 'query.limit: less_than_equal'],
    ['limit=999999999999999', 'query.limit: less_than_equal'],
    ['limit=1e3', 'query.limit: int_parsing'],
    ['limit=1.5', 'query.limit: int_parsing'],
    ['limit=1.0', 'query.limit: int_parsing'],
    ['limit=', 'query.limit: int_parsing'],
    ['limit', 'query.limit: int_parsing'],
    ['limit=%20', 'query.limit: int_parsing'],
    ['limit=0x10', 'query.limit: int_parsing'],
    ['limit=1_000', 'query.limit: int_parsing'],
    ['limit=%EF%BC%91', 'query.limit: int_parsing'],
    ['limit=NaN', 'query.limit: int_parsing'],
    ['limit=Infinity', 'query.limit: int_parsing'],
    ['limit=canary', 'query.limit: int_parsing'],
    [`limit=${'9'.repeat(400)}`, 'query.limit: int_parsing'],
    ['limit=%zz', 'query.limit: int_parsing'],
    ['cursor=', 'query.cursor: cursor'],
    ['cursor=canary', 'query.cursor: cursor'],
    ['cursor=%00', 'query.cursor: cursor'],
    ['cursor=%F0%9F%98%80', 'query.cursor: cursor'],
    [`cursor=${target.id}`, 'query.cursor: cursor'],
    [`cursor=${'x'.repeat(200)}`, 'query.cursor: cursor'],
    [`cursor=${'x'.repeat(201)}`, 'query.cursor: cursor'],
    [`cursor=${'canary'.repeat(1_667)}`, 'query.cursor: cursor'],
    [`name=${'x'.repeat(201)}`, 'query.name: string_too_long'],
  ])('returns 422 for %s', async (query, fault) => {
    expectRejected(await user.get(`/assistants?${query}`), 422, [fault]);
  });

  it('returns 422 for a changed cursor', async () => {
    await createAssistant(user);
    const { headers } = await user.get('/assistants?limit=1');
    const cursor = new URLSearchParams(/<\?(.*)>/.exec(headers.get('link') ?? '')?.[1]).get('cursor') ?? '';
    expect((await user.get(`/assistants?cursor=${cursor}`)).status).toBe(200);
    const last = cursor.at(-1) === 'A' ? 'Q' : 'A';
    for (const damaged of [
      cursor.slice(4),
      cursor.slice(0, -4),
      `${cursor}AAAA`,
      `AAAA${cursor.slice(4)}`,
      `${cursor.slice(0, -2)}${last}${last}`,
    ]) {
      expectRejected(await user.get(`/assistants?cursor=${damaged}`), 422, ['query.cursor: cursor']);
    }
  });

  it.each([
    'limit=1',
    'limit=1000',
    'limit=0007',
    'name=',
    `name=${'x'.repeat(200)}`,
    `name=${'%F0%9F%98%80'.repeat(200)}`,
    'name=%00',
    'name=%ff',
    'name=(',
    'skip=canary&page=-1&LIMIT=0',
    'a%5B%5D=1&a%5B%5D=2',
    '',
    '&&=&',
  ])('may be: %s', async (query) => {
    const { status, body } = await user.get(`/assistants?${query}`);
    expect([status, Array.isArray(body)]).toEqual([200, true]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('may have a parameter named %s', async (name) => {
    expect((await user.get(`/assistants?${name}=1&limit=1`)).status).toBe(200);
  });

  it.each(['__proto__', 'constructor', 'toString'])('may come with a header named %s', async (name) => {
    const pairs = Object.fromEntries([[name, 'x']]);
    expect((await getRaw('/assistants?limit=1', pairs)).status).toBe(200);
  });
});

describe('any JSON as a new assistant', () => {
  const anyUnit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: anyUnit }),
    fc.constantFrom('__proto__', 'constructor', ''),
  );
  const anyJson = fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 });
  const goodText = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .map((text) => `x${text.replaceAll(/[\0\ufffd]/g, '')}`);
  const mostly = <T>(good: fc.Arbitrary<T>, odd: fc.Arbitrary<unknown> = anyJson) =>
    fc.oneof({ weight: 40, arbitrary: good as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd });
  const settings = fc.dictionary(mostly(goodText, anyText) as fc.Arbitrary<string>, anyJson, { maxKeys: 3 });
  const assistants = fc.record(
    {
      name: mostly(goodText, anyText),
      system_instruction: mostly(goodText, anyText),
      description: mostly(fc.option(goodText)),
      first_message: mostly(fc.option(goodText)),
      voice: mostly(settings),
      llm: mostly(settings),
      transcriber: mostly(settings),
      knowledge_base: mostly(settings),
      transport: mostly(fc.record({ sip_config: mostly(settings) }, { requiredKeys: [] })),
      typo: anyJson,
    },
    { requiredKeys: ['name', 'system_instruction'] },
  );
  const bodies = fc.oneof({ weight: 1, arbitrary: anyJson }, { weight: 3, arbitrary: assistants });

  it('is stored unchanged, or rejected in the error shape, without server errors', async () => {
    const statuses = new Set<number>();
    const property = fc.asyncProperty(bodies, async (body) => {
      const sent = JSON.stringify(body);
      const reply = await post(sent);
      statuses.add(reply.status);
      expect([200, 413, 422]).toContain(reply.status);
      if (reply.status !== 200) return expectErrorShape(reply);

      const { name, system_instruction, description = null, transport, ...rest } = JSON.parse(sent);
      const stored = (await user.get<Assistant>(`/assistants/${reply.body.id}`)).body;
      await user.delete(`/assistants/${reply.body.id}`);
      expect(stored).toEqual(reply.body);
      expect(stored).toMatchObject({ name, system_instruction, description });
      if ('first_message' in rest) expect(stored.first_message).toBe(rest.first_message);
      for (const setting of ['voice', 'llm', 'transcriber', 'knowledge_base'] as const) {
        expect(stored[setting]).toEqual({ ...defaultSettings[setting], ...rest[setting] });
      }
      expect(stored.transport).toEqual({ ...defaultSettings.transport, ...transport });
    });
    await fc.assert(property, { numRuns: 200, interruptAfterTimeLimit: 45_000 }); // on failure it prints its seed
    expect([...statuses].sort()).toEqual([200, 422]);
  });
});
