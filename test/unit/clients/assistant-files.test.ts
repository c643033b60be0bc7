import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildUpdate, parseFields, toContent, toFileFields } from '../../../clients/cli/assistants/content.ts';
import { chooseFileName } from '../../../clients/cli/assistants/file-names.ts';
import { addId, formatFile, parseFile, updateFile } from '../../../clients/cli/assistants/format.ts';
import { applyUpdate, buildAssistant } from '../../../shared/domain/assistant.ts';
import type { AssistantContent } from '../../../shared/schemas/assistant.ts';

const id = '01a20506-5a5e-7bd5-a1c7-0f6a4b1d2c3e';

/** Texts that the API stores. YAML could read some as something else. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.lorem({ mode: 'sentences', maxCount: 6 }),
  fc.constantFrom(
    'no',
    '1.0',
    ' x',
    'x ',
    '-',
    'a\n\n\nb\n',
    '\n',
    '- x',
    '# x',
    '{{ name }}',
    'a: b',
    '|',
    '&a',
    '*a',
    '!x',
    '\t',
    'x\r\ny',
    '  a\nb',
    '\u0085',
    '\u2028',
  ),
);
const text = anyText.filter((one) => one.isWellFormed() && !/[\0\ufffd]/.test(one));
const notBlank = text.filter((one) => one.trim() !== '');
const number = fc.float({ noNaN: true, min: -1_000_000, max: 1_000_000 });
const settings = fc.record({ speed: number, style: text }, { requiredKeys: [] });

/** Content of assistants, as files have it. */
const fields = fc.record(
  {
    name: notBlank.map((one) => one.slice(0, 200)).filter((one) => one.trim() !== '' && one.isWellFormed()),
    system_instruction: notBlank,
    description: fc.option(text),
    first_message: fc.option(text),
    voice: fc.record(
      {
        language: fc.constantFrom('de', 'en'),
        voice_id: fc.option(fc.constantFrom('x', '', ' ')),
        speed: number.map((one) => one || 0),
      },
      { requiredKeys: [] },
    ),
    llm: settings,
    timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
    tools: fc.constantFrom([], [{ type: 'end_call', name: 'hang_up' }]),
  },
  { requiredKeys: ['name', 'system_instruction'] },
);

/** Completes the fields of a file, as a push does. */
async function complete(given: object): Promise<AssistantContent> {
  const { content, mistakes } = await parseFields(JSON.parse(JSON.stringify(given)));
  if (!content) throw new Error(mistakes.join());
  return content;
}

describe('the file of an assistant', () => {
  test.each(['yaml', 'json'] as const)('holds everything, whatever its texts: %s', async (format) => {
    await fc.assert(
      fc.asyncProperty(fields, async (given) => {
        const content = await complete(given);
        const { id: found, ...read } = parseFile(format, formatFile(format, id, toFileFields(content)));
        expect(found).toBe(id);
        expect(await complete(read)).toEqual(content);
      }),
      { numRuns: 300 },
    );
  });

  test('has its name and its prompt, whatever they are', async () => {
    const content = await complete({ name: '-', system_instruction: '-' });
    expect(toFileFields(content)).toEqual({ name: '-', system_instruction: '-' });
  });

  test('becomes what is wanted by the update that a push sends', async () => {
    await fc.assert(
      fc.asyncProperty(fields, fields, async (before, after) => {
        const [current, wanted] = await Promise.all([before, after].map(complete));
        if (!current || !wanted) throw new Error('No content');
        const stored = buildAssistant(current);
        const body = buildUpdate(current, wanted);
        const updated = body ? applyUpdate(stored, JSON.parse(JSON.stringify(body))) : stored;
        expect(toContent(updated)).toEqual(wanted);
        expect(buildUpdate(wanted, wanted)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  test('keeps its comments when the server changes another field', () => {
    const before = `# Ours\nid: ${id}\nname: A # short\nsystem_instruction: |\n  One.\n\n  Two.\n`;
    const after = updateFile('yaml', before, id, {
      name: 'A',
      system_instruction: 'One.\n\nTwo.\n',
      description: 'New',
    });
    expect(after).toBe(`${before}description: New\n`);
    expect(updateFile('yaml', before, id, { name: 'B', system_instruction: 'x' })).toContain('# Ours');
  });

  test('gets its id below comments at the top', () => {
    expect(addId('yaml', '---\n# Ours\nname: A\n', id)).toBe(`---\n# Ours\nid: ${id}\nname: A\n`);
    expect(addId('yaml', 'name: A', id)).toBe(`id: ${id}\nname: A`);
    expect(JSON.parse(addId('json', '{"name":"A"}', id))).toEqual({ id, name: 'A' });
  });

  test.each<['yaml' | 'json', string]>([
    ['yaml', '{"name": "A", "tools": []}'],
    ['yaml', '{ name: A, tools: [] } # short\n'],
    ['yaml', '\ufeffname: A\ntools: []\n'],
    ['yaml', '  name: A\n  tools: []\n'],
    ['yaml', '%YAML 1.2\n---\nname: A\ntools: []\n'],
    ['yaml', '--- # Ours\nname: A\ntools: []\n'],
    ['yaml', '--- {name: A, tools: []}\n'],
    ['yaml', '!!map\nname: A\ntools: []\n'],
    ['yaml', 'name: A\r\ntools: []\r\n'],
    ['yaml', 'name: A\ntools: []\n...\n'],
    ['json', '\ufeff{"name": "A", "tools": []}'],
  ])('gets its id whatever its form: %s %j', (format, before) => {
    const after = addId(format, before, id);
    expect(parseFile(format, after)).toEqual({ id, name: 'A', tools: [] });
    expect(after.includes('#')).toBe(before.includes('#'));
  });

  test('is written anew if its anchors cannot stay', () => {
    const before = `id: ${id}\nname: &name A\ndescription: *name\nsystem_instruction: x\n`;
    const wanted = { name: 'B', description: 'A', system_instruction: 'x' };
    expect(parseFile('yaml', updateFile('yaml', before, id, wanted))).toEqual({ id, ...wanted });
    const twice = `id: ${id}\nname: &n A\nfirst_message: &n B\ndescription: *n\n`;
    expect(parseFile('yaml', updateFile('yaml', twice, id, { name: 'A', description: 'B' }))).toEqual({
      id,
      name: 'A',
      description: 'B',
    });
  });

  test.each([
    ['a: [', /at line 1, column \d+$/],
    ['a: 1\na: 2', /Map keys must be unique at line 2, column 1$/],
    ['- a', /it should hold the fields of one assistant/],
    ['a: 1\n---\nb: 2', /multiple documents/],
    ['', /it should hold the fields of one assistant/],
    [
      `a: &a [x]\nb: &b [${'*a,'.repeat(20)}]\nc: &c [${'*b,'.repeat(20)}]\nd: [${'*c,'.repeat(20)}]`,
      /Excessive alias count/,
    ],
    ['a: *b', /^Unresolved alias[^\n]*$/],
    ['a: &a [*a]', /nested too deeply, or an alias contains itself: write at most 32 levels$/],
    [`a: ${'['.repeat(33)}${']'.repeat(33)}`, /nested too deeply/],
    [`a: ${'['.repeat(50_000)}${']'.repeat(50_000)}`, /nested too deeply/],
  ])('names the mistake in a text: %#', (text, told) => {
    expect(() => parseFile('yaml', text)).toThrow(told);
  });
});

describe('the fields of a file', () => {
  const tool = (url: string) => ({ type: 'http', name: 'look', description: 'Looks', http: { url } });

  test.each<[object, string]>([
    [{ first_message: 'a\0' }, 'first_message: the text has a NUL, half of a character, or U+FFFD in it: remove it'],
    [
      { voice: { style: '\ud800' } },
      'voice.style: the text has a NUL, half of a character, or U+FFFD in it: remove it',
    ],
    [{ llm: { seed: 2 ** 60 } }, 'llm.seed: a whole number beyond 2^53 loses digits: write it as a text'],
    [{ llm: { top: Number.POSITIVE_INFINITY } }, 'llm.top: write a finite number'],
    [{ llm: { constructor: 1 } }, 'llm: the name constructor cannot be stored: choose another'],
    [{ llm: { extra: 'x'.repeat(300 * 1024) } }, 'An assistant may have at most 300 KB in all'],
    [
      { tools: [tool('https://me:secret@example.com/')] },
      'tools.0.http.url: Input should be a URL without a user name: send credentials in `headers`',
    ],
  ])('are checked before they are sent: %#', async (given, told) => {
    const { mistakes = [] } = await parseFields({ name: 'A', system_instruction: 'x', ...given });
    expect(mistakes).toContain(told);
  });

  test('may name a private host, which an operator may allow', async () => {
    const given = { name: 'A', system_instruction: 'x', tools: [tool('http://10.0.0.1:8080/x')] };
    expect((await parseFields(given)).mistakes).toBeUndefined();
  });
});

test('a file name is short, safe and its own', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string()), (name, taken) => {
      expect(chooseFileName(name, 'yaml', taken)).toMatch(/^[a-z0-9][a-z0-9-]{0,70}\.yaml$/);
    }),
  );
  expect(chooseFileName('Zoë’s Café', 'yaml', [])).toBe('zoe-s-cafe.yaml');
  expect(chooseFileName('A', 'json', ['a.yaml', 'A-2.yml'])).toBe('a-3.json');
});
