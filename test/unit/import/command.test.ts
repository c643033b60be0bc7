import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ImportContext, type ImportValues, importAgents } from '../../../clients/cli/import/import-agents.ts';
import { startPlatformApi } from '../../support/platform-api.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function writeDocument(name: string, content: unknown): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Runs the command and returns what it printed. */
async function run(args: string[], values: ImportValues, parts: Partial<ImportContext> = {}) {
  const lines: string[] = [];
  const errors: string[] = [];
  const created: unknown[] = [];
  const context: ImportContext = {
    create: async (assistant) => {
      created.push(assistant);
      return { id: `id-${created.length}` };
    },
    print: (line) => void lines.push(line),
    printError: (line) => void errors.push(line),
    env: {},
    stdin: (async function* () {})(),
    ...parts,
  };
  const code = await importAgents(args, values, context);
  return { code, lines, errors, created, output: [...lines, ...errors].join('\n') };
}

const assistant = {
  name: 'Reception',
  firstMessage: 'Hello!',
  model: { provider: 'openai', model: 'gpt-4o', messages: [{ role: 'system', content: 'Help.' }] },
  backgroundSound: 'office',
  serverUrlSecret: 'hunter2',
};
const withoutPrompt = { name: 'Empty', firstMessage: 'Hello!', model: { provider: 'openai', model: 'gpt-4o' } };

describe('voice-assistants import', () => {
  test('creates assistants from a file and names what was lost, field by field', async () => {
    const file = await writeDocument('one.json', assistant);
    const { code, lines, created } = await run(['vapi'], { file });
    expect(code).toBe(0);
    expect(lines).toEqual([
      'Reception: created id-1',
      '  Keys, which are never imported:',
      '    serverUrlSecret: A key is not imported: webhooks have secrets of their own',
      '  Lost:',
      '    backgroundSound: Assistants have nothing like it',
      '1 assistant created',
    ]);
    expect(created).toMatchObject([{ name: 'Reception', system_instruction: 'Help.', first_message: 'Hello!' }]);
    expect(JSON.stringify(created)).not.toContain('hunter2');
  });

  test('exits with 1 if an agent cannot be imported, and imports the others', async () => {
    const file = await writeDocument('two.json', [withoutPrompt, assistant]);
    const { code, lines, created } = await run(['vapi'], { file });
    expect([code, created.length]).toEqual([1, 1]);
    expect(lines[0]).toBe('Empty: not imported. It has no prompt');
    expect(lines.at(-1)).toBe('1 assistant created, 1 not');
  });

  test('creates nothing in a dry run', async () => {
    const file = await writeDocument('dry.json', [assistant, assistant]);
    const { code, lines, created } = await run(['vapi'], { file, 'dry-run': true });
    expect([code, created]).toEqual([0, []]);
    expect(lines[0]).toBe('Reception: can be imported');
    expect(lines.at(-1)).toBe('2 assistants can be imported');
  });

  test('stops at the first assistant that cannot be created, and says how far it came', async () => {
    const file = await writeDocument('three.json', [assistant, assistant, assistant]);
    let calls = 0;
    const create = async () => {
      calls += 1;
      if (calls === 2) throw new Error('The token has expired: run voice-assistants login');
      return { id: `id-${calls}` };
    };
    const { code, errors } = await run(['vapi'], { file }, { create });
    expect([code, calls]).toEqual([1, 2]);
    expect(errors).toEqual([
      'Reception: not created. The token has expired: run voice-assistants login',
      'Created 1 of 3 assistants, and tried no further',
    ]);
  });

  test('reads standard input', async () => {
    const stdin = (async function* () {
      yield JSON.stringify(assistant).slice(0, 20);
      yield JSON.stringify(assistant).slice(20);
    })();
    expect((await run(['vapi'], { file: '-' }, { stdin })).lines[0]).toBe('Reception: created id-1');
  });

  test('reads the API with a key of the environment, and never prints it', async () => {
    const key = 'secret-key-0000';
    const api = await startPlatformApi({ 'GET /assistant/a1': { json: { ...assistant, note: key } } });
    try {
      const { code, output } = await run(
        ['vapi'],
        { 'platform-url': api.url, id: ['a1'] },
        { env: { VAPI_API_KEY: ` ${key}\n` } },
      );
      expect(code).toBe(0);
      expect(output).not.toContain(key);
      const failed = await run(['vapi'], { 'platform-url': api.url, id: ['a2'], key });
      expect([failed.code, failed.errors]).toEqual([1, ['Vapi has no such agent']]);
    } finally {
      api.stop();
    }
  });

  test('exits with 1 and names agents of the API that have no proper id', async () => {
    const api = await startPlatformApi({
      'GET /assistant?limit=101': { json: [{ id: 'a1' }, { id: '../keys' }] },
      'GET /assistant/a1': { json: assistant },
    });
    try {
      const { code, created, errors } = await run(['vapi'], { 'platform-url': api.url, key: 'secret-key-0000' });
      expect([code, created.length]).toEqual([1, 1]);
      expect(errors).toEqual(['Not read, because ids have up to 128 letters, digits, _ and -: ../keys']);
    } finally {
      api.stop();
    }
  });

  test.each<[string[], ImportValues, string]>([
    [[], {}, 'Name one platform, of vapi, retell, elevenlabs, dograh'],
    [['bland'], {}, 'Name one platform'],
    [['vapi', 'retell'], {}, 'Name one platform'],
    [['constructor'], {}, 'Name one platform'],
    [['vapi'], {}, 'set VAPI_API_KEY'],
    [['vapi'], { key: '' }, 'set VAPI_API_KEY'],
    [['vapi'], { file: 'x.json', id: ['a'] }, 'leave them out, or --file'],
  ])('exits with 2 for the arguments %j %j', async (args, values, message) => {
    const { code, errors } = await run(args, values);
    expect(code).toBe(2);
    expect(errors.join('\n')).toContain(message);
    expect(errors.length).toBe(1);
  });

  test.each<[content: string, message: string]>([
    ['', 'is no JSON'],
    ['{\n"a": 1,\n}', 'is no JSON: see line 3, column 1'],
    ['null', 'Expected an agent of Vapi as JSON'],
    ['"text"', 'Expected an agent of Vapi as JSON'],
    ['[]', 'holds no assistant of Vapi'],
    ['{}', 'holds no assistant of Vapi'],
    ['{"results": 7}', 'holds no assistant of Vapi'],
    [JSON.stringify(Array(501).fill({})), 'split it'],
  ])('exits with 1 and one line for a file with %.20j', async (content, message) => {
    const file = await writeDocument('odd.json', content);
    const { code, lines, errors } = await run(['vapi'], { file });
    expect(code).toBe(1);
    expect(lines).toEqual([]);
    expect(errors.length).toBe(1);
    expect(errors[0]).toContain(message);
  });

  test('exits with 1 for a file that is not there, a folder, and one of 21 MB', async () => {
    const missing = await run(['vapi'], { file: join(folder, 'missing.json') });
    expect([missing.code, missing.errors[0]]).toEqual([1, expect.stringContaining('ENOENT')]);
    const isFolder = await run(['vapi'], { file: folder });
    expect([isFolder.code, isFolder.errors[0]]).toEqual([1, expect.stringContaining('it is no file')]);
    const large = await writeDocument('large.json', ' '.repeat(21 * 1024 * 1024));
    expect((await run(['vapi'], { file: large })).errors[0]).toContain('more than 20 MB');
  });

  test('says of which platform a document is, if it is of another', async () => {
    const file = await writeDocument('other.json', { response_engine: { type: 'retell-llm' }, agent_name: 'A' });
    const { code, output } = await run(['vapi'], { file });
    expect(code).toBe(1);
    expect(output).toContain('import retell');
  });

  test('prints no control character of a document', async () => {
    const odd = { ...assistant, name: '\u001b[31mred\u0007\u202e', '\u001b]0;x\u0007': 'y' };
    const { output } = await run(['vapi'], { file: await writeDocument('control.json', odd) });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be printed
    expect(output.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(output).toContain('\\u{1b}[31mred');
  });
});
