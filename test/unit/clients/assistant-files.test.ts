import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildUpdate, parseFields, toContent, toFileFields } from '../../../clients/cli/assistants/content.ts';
import { chooseFileName } from '../../../clients/cli/assistants/file-names.ts';
import { addId, formatFile, parseFile, updateFile } from '../../../clients/cli/assistants/format.ts';
import { applyUpdate, buildAssistant } from '../../../shared/domain/assistant.ts';
import type { AssistantContent } from '../../../shared/schemas/assistant.ts';

const id = '01a20506-5a5e-7bd5-a1c7-0f6a4b1d2c3e';

/** Texts that YAML could read as something else, among others. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1 }).filter((one) => one.isWellFormed()),
  fc.lorem({ mode: 'sentences', maxCount: 6 }),
  fc.constantFrom(
    'no',
    '1.0',
    ' x',
    'x ',
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
const notBlank = text.filter((one) => one.trim() !== '');
const settings = fc.record(
  { speed: fc.float({ noNaN: true, noDefaultInfinity: true }), style: text },
  { requiredKeys: [] },
);

/** Content of assistants, as files have it. */
const fields = fc.record(
  {
    name: notBlank.map((one) => one.slice(0, 200)).filter((one) => one.trim() !== ''),
    system_instruction: notBlank,
    description: fc.option(text),
    first_message: fc.option(text),
    voice: fc.record(
      {
        language: fc.constantFrom('de', 'en'),
        voice_id: fc.option(fc.constantFrom('x', '', ' ')),
        speed: fc.float({ noNaN: true }).map((one) => one || 0),
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
  ])('names the mistake in %j', (text, told) => {
    expect(() => parseFile('yaml', text)).toThrow(told);
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
