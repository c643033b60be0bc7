import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { checkArguments, createCheckBudget } from '../../shared/domain/tools/arguments.ts';
import { findParametersFaults } from '../../shared/domain/tools/parameters.ts';
import { buildScope, noValues } from '../../shared/domain/tools/scope.ts';
import { listVariables, render, TemplateError } from '../../shared/domain/tools/template.ts';
import { fillPlaceholders, findHttpTool, findToolFaults, listPlaceholders } from '../../shared/domain/tools/tools.ts';
import { Invalid } from '../../shared/errors.ts';
import { CredentialReference, HttpTool } from '../../shared/schemas/tool.ts';
import { getSampleSize } from '../support/sample.ts';

const runs = getSampleSize(2_000);

/** Parts that make up templates, many of them broken. */
const templatePart = fc.oneof(
  fc.string(),
  fc.constantFrom(
    ...[
      '{{ name }}',
      '{{',
      '}}',
      '{%',
      '%}',
      '{{ name | upcase }}',
      '{{ name | date: "%Y" }}',
      '{{ "now" | date: "%9999999d" }}',
    ],
    ...[
      '{% if name %}',
      '{% else %}',
      '{% endif %}',
      '{% for i in (1..99999999) %}',
      '{% endfor %}',
      '{{ i }}',
      '{% raw %}',
      '{% endraw %}',
    ],
    ...[
      '{% assign a = name | split: "" %}',
      '{{ a | join: a }}',
      '{% include "x" %}',
      '{% include "constructor" %}',
      '{{ call.from.constructor }}',
      '{% capture x %}',
      '{% endcapture %}',
    ],
    ...[
      '{{ x | strip_html }}',
      '{{ name | replace: "a", name }}',
      '{{ name.size | times: 1e308 }}',
      '{% cycle name %}',
      '{% comment %}',
      '{% endcomment %}',
    ],
  ),
);

describe('a template', () => {
  test('renders to text or fails with its own error, whatever is in it, within its time', async () => {
    const template = fc.array(templatePart, { maxLength: 8 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(template, fc.string(), async (text, name) => {
        const startedAt = performance.now();
        try {
          expect(await listVariables(text)).toBeInstanceOf(Array);
          expect(typeof (await render(text, { name, call: { from: name } }))).toBe('string');
        } catch (error) {
          expect(error).toBeInstanceOf(TemplateError);
          expect((error as TemplateError).message.length).toBeLessThanOrEqual(200);
        }
        expect(performance.now() - startedAt).toBeLessThan(5_000);
      }),
      { numRuns: runs },
    );
  });

  test('inserts values as they are, and never renders them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (value) => {
        expect(await render('{{ value }}', { value })).toBe(value);
        expect(await render('<{{ value }}>', { value: `{{ secret }}${value}`, secret: 's' })).toBe(
          `<{{ secret }}${value}>`,
        );
      }),
      { numRuns: runs },
    );
  });

  test('is not begun when the time of all is over', async () => {
    const budget = { ms: 0, characters: 500_000 };
    await expect(listVariables('{{ a }}', budget)).rejects.toThrow('it takes too long');
    await expect(render('{{ a }}', { a: 'b' }, budget)).rejects.toThrow('it takes too long');
    expect(budget).toEqual({ ms: 0, characters: 500_000 });
  });

  test('becomes text that can be stored', async () => {
    expect(await render('{{ "\\ud800" }} {{ a }}', { a: '\udc00' })).toBe('\ufffd \ufffd');
  });

  test('writes many dates with little memory', async () => {
    const assistant = { name: 'A', variables: {}, timezone: 'Asia/Tokyo', voice: { language: 'ja' } };
    const scope = buildScope(assistant, noValues);
    const before = process.memoryUsage.rss();
    await render('{% for i in (1..5000) %}{{ date | truncate: 1 }}{% endfor %}', scope);
    expect(await render(`{{ 0 | date: "${'%B'.repeat(5_000)}", 0 }}`, scope)).toBe('January'.repeat(5_000));
    expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000); // a formatter for each takes 500 MB
  });

  test('leaves the formatters of others as they were if it is ended in the midst of a date', async () => {
    const { DateTimeFormat } = Intl;
    const loop = `{% for i in (1..100000) %}{{ 0 | date: "${'%B'.repeat(200)}" | size }}{% endfor %}`;
    await expect(render(loop, {}, { ms: 50, characters: 500_000 })).rejects.toThrow('it takes too long');
    expect(Intl.DateTimeFormat).toBe(DateTimeFormat);
    const assistant = { name: 'A', variables: {}, timezone: 'UTC', voice: { language: 'de' } };
    expect(await render('{{ weekday }}', buildScope(assistant, noValues))).toMatch(/tag$|^Mittwoch$/);
  });

  test('writes twenty dates in named time zones, in all texts of a scope', async () => {
    const scope = {};
    const text = '{% for i in (1..10) %}{{ 0 | date: "%H", "Asia/Tokyo" }}{% endfor %}';
    expect(await render(text + text, scope)).toBe('09'.repeat(20));
    const other = '{{ 0 | date_to_string: "ordinal", "US" }}{{ 0 | date: "%H", -60 }}';
    expect(await render(other, scope)).toBe('Jan 1st, 197001');
    await expect(render(text, scope)).rejects.toThrow(
      'at most 20 dates may name a time zone: give others an offset in minutes, such as -60 for UTC+1',
    );
  });

  test('is ended in the middle of a filter', async () => {
    const loop = (body: string) => `{% capture x %}{% for i in (1..30000) %}${body}{% endfor %}{% endcapture %}`;
    await expect(
      render(
        `${loop('<script')}{{ x | strip_html }}${loop('<!--')}{{ x | strip_html }}{% for i in (1..90000) %}{% for j in (1..90000) %}{% endfor %}{% endfor %}`,
        {},
      ),
    ).rejects.toThrow(TemplateError);
  });

  test.each([
    'split: q',
    'remove: q',
    'remove_first: q',
    'remove_last: q',
    'replace: q, "x"',
    'replace_first: q, "x"',
    'replace_last: q, "x"',
  ])('searches for texts of 250 characters at most: %s', async (filter) => {
    const search = (count: number) =>
      render(`{{ text | ${filter} | size }}`, { text: 'y'.repeat(300), q: 'x'.repeat(count) });
    expect(Number(await search(250))).toBeGreaterThan(0);
    await expect(search(251)).rejects.toThrow('a text to search for may have at most 250 characters');
  });

  test('searches for them by contains, too, but in lists for any', async () => {
    const check = (value: unknown, part: string) =>
      render('{% if value contains part %}yes{% else %}no{% endif %}', { value, part } as never);
    expect(await check('abcd', 'bc')).toBe('yes');
    expect(await check(['ab', 'cd'], 'cd')).toBe('yes');
    expect(await check('abcd', 'x'.repeat(2_000))).toBe('no');
    expect(await check(['ab', 'x'.repeat(2_000)], 'x'.repeat(2_000))).toBe('yes');
    expect(await check('y'.repeat(300), 'x'.repeat(250))).toBe('no');
    await expect(check('y'.repeat(300), 'x'.repeat(251))).rejects.toThrow('at most 250 characters');
  });

  test('writes JSON without indentation, and is charged for its names', async () => {
    expect(await render('{{ a | json: 10 }}', { a: { b: 'x' } })).toBe('{"b":"x"}');
    const grown = `{% assign a = (1..1) | map: "none" %}{% assign a = a | push: named %}${'{% assign a = a | concat: a %}'.repeat(16)}`;
    for (const filter of ['json', 'jsonify', 'inspect'])
      await expect(render(`${grown}{{ a | ${filter} }}`, { named: { ['x'.repeat(4_000)]: '1' } })).rejects.toThrow(
        'memory alloc limit exceeded',
      );
  });

  test('is charged for the texts in its lists, and for those that it captures', async () => {
    const list = '{% assign a = "" | split: "," | push: s %}';
    const grow = '{% assign a = a | concat: a %}';
    expect(
      await render(`${list}${grow.repeat(3)}{% capture c %}{{ a }}{% endcapture %}{{ c | size }}`, { s: 'ab' }),
    ).toBe('16');
    for (const text of [
      `${list}${grow.repeat(16)}`,
      `${list}${'{% assign a = a | push: a | push: a %}'.repeat(16)}`,
      `{% capture c %}{% for i in (1..9000) %}${'x'.repeat(1_000)}{% endfor %}{% endcapture %}`,
    ])
      await expect(render(text, { s: 'x'.repeat(2_000) })).rejects.toThrow('memory alloc limit exceeded');
  });

  test('is charged for results whose length its filters do not know before', async () => {
    const copy = '{% assign b = a | slice: "1", "0000000" %}';
    expect(await render(`{% assign a = (1..20) %}${copy}{{ b | size }}`, {})).toBe('19');
    await expect(render(`{% assign a = (1..900000) %}${copy.repeat(5)}`, {})).rejects.toThrow(
      'memory alloc limit exceeded',
    );
  });

  test('may make lists of 2,000 short texts, one after the other', async () => {
    const text =
      '{% assign a = "" | split: "," %}{% for i in (1..2000) %}{% assign a = a | push: s %}{% endfor %}{{ a | size }}';
    expect(await render(text, { s: 'x'.repeat(40) })).toBe('2000');
  });

  test('names its variables, without those that it sets', async () => {
    expect(await listVariables('{{ a }} {{ b.c }} {% assign d = a %}{{ d }} {{ a }}')).toEqual(['a', 'b.c']);
    expect(await listVariables('{{ a["\\ud800"] }}')).toEqual(['a.\ufffd']);
  });
});

describe('the URL of a tool', () => {
  const url = 'https://api.example.com/orders/{id}/lines/{line}?q={q}';

  test('keeps every argument in its place', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), fc.string(), (id, line, q) => {
        const filled = fillPlaceholders(url, { id, line, q });
        if (!filled) return;
        expect(filled.origin).toBe('https://api.example.com');
        expect(filled.hash).toBe('');
        const [, orders, first, lines] = filled.pathname.split('/');
        expect([orders, lines, filled.pathname.split('/').length]).toEqual(['orders', 'lines', 5]);
        expect(decodeURIComponent(first ?? '')).toBe(id.toWellFormed());
        expect([...filled.searchParams]).toEqual([['q', q.toWellFormed()]]);
      }),
      { numRuns: runs },
    );
  });

  test.each([
    '.',
    '..',
    '%2e%2e',
    '../admin',
    '..%2fadmin',
    '%2e%2e%2fadmin',
    '%252e%252e%252fadmin',
    '..\\admin',
    '..;/admin',
    '..?/admin',
    '..#',
    'x/../..',
    'x/.',
  ])('is not left by %s, whenever a server decodes it', (id) => {
    expect(fillPlaceholders(url, { id, line: 1, q: 'x' })).toBeUndefined();
    expect(fillPlaceholders(url, { id: 7, line: id, q: 'x' })).toBeUndefined();
    expect(fillPlaceholders(url, { id: 7, line: 1, q: id })?.searchParams.get('q')).toBe(id);
  });

  test.each(['...', 'a..b', '..a', 'a/b', 'a/..b', '.well', 'a.'])('may have %s in it', (id) => {
    expect(fillPlaceholders(url, { id, line: 1, q: 'x' })?.pathname).toBe(`/orders/${encodeURIComponent(id)}/lines/1`);
  });

  test('has at most 8,192 characters, counted before its arguments are put together', () => {
    const origin = 'https://api.example.com/';
    const fill = (placeholders: number, characters: number) =>
      fillPlaceholders(`${origin}${'{a}'.repeat(placeholders)}`, { a: 'x'.repeat(characters) });
    const left = 8_192 - origin.length;
    expect(fill(1, left)?.href).toHaveLength(8_192);
    const tooLong = expect.objectContaining({
      detail: [{ loc: ['body', 'arguments'], msg: expect.stringContaining('8,192'), type: 'argument' }],
    });
    expect(() => fill(1, left + 1)).toThrow(tooLong);
    // 750 MB, more than a text can have.
    expect(() => fill(3_000, 250_000)).toThrow(tooLong);
  });

  test('has the names of its placeholders', () => {
    expect(listPlaceholders(url)).toEqual(['id', 'line', 'q']);
    expect(() => findHttpTool([], 'x')).toThrow('NotFound');
  });
});

/** Builds an `http` tool with the arguments `id` and `lang`. */
const buildTool = (http: object): HttpTool =>
  v.parse(HttpTool, {
    type: 'http',
    name: 'find_order',
    description: 'Looks an order up',
    parameters: { type: 'object', properties: { id: {}, lang: {} } },
    http,
  });

describe('the request of a tool', () => {
  test.each([
    'https://{id}.example.com/',
    'https://{id}/orders',
    'https://api.example.{id}/orders?q={lang}',
    'https://%7Bid%7D.example.com/',
  ])('has no placeholder in its host: %s', (url) => {
    const faults = [...findToolFaults([buildTool({ url })], [])];
    expect(faults.map(({ loc, msg }) => [loc.join('.'), msg])).toEqual([
      ['body.tools.0.http.url', 'The host should have no placeholders'],
    ]);
  });

  test.each([
    'https://api.example.com/{id}',
    'https://api.example.com/?{id}={lang}',
    'https://api.example.com:8443/#{id}',
  ])('may have placeholders after its host: %s', (url) => {
    expect([...findToolFaults([buildTool({ url })], [])]).toEqual([]);
  });

  test('carries its key in no header that the service or the connection sets', () => {
    const isTaken = (header: string) => v.is(CredentialReference, { service_type: 'orders', header });
    const reserved = ['Host', 'cookie', 'content-length', 'Content-Type', 'transfer-encoding', 'proxy-authorization'];
    for (const header of [
      ...reserved,
      'user-agent',
      'idempotency-key',
      'webhook-id',
      'connection',
      'x_key',
      'x key',
      '',
    ])
      expect(isTaken(header), header).toBe(false);
    for (const header of ['authorization', 'X-Api-Key', 'x-hostname']) expect(isTaken(header), header).toBe(true);
  });
});

describe('the parameters of a tool', () => {
  test('of any JSON are checked without an error', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.oneof(fc.string(), fc.constantFrom('type', 'properties', 'items', 'anyOf', 'required', '$ref')),
          fc.jsonValue(),
        ),
        (schema) => {
          expect(findParametersFaults({ ...schema, type: 'object' }, ['body'])).toBeInstanceOf(Array);
        },
      ),
      { numRuns: runs },
    );
  });

  test('have bounded depth and size', () => {
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`p${i}`, {}])),
    };
    expect(findParametersFaults(wide, ['x']).map(({ msg }) => msg)).toEqual([
      'The arguments should have at most 100 properties in all',
    ]);
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 200; level++) deep = { items: deep };
    expect(findParametersFaults(deep, ['x'])).toHaveLength(1);
  });

  test.each(['enum', 'required'])('have at most 1,000 entries in %s', (keyword) => {
    const check = (count: number) =>
      findParametersFaults({ type: 'object', properties: { a: { [keyword]: Array(count).fill('x') } } }, ['x']);
    expect(check(1_000)).toEqual([]);
    expect(check(1_001)).toEqual([
      { loc: ['x', 'properties', 'a', keyword], msg: expect.stringContaining('1,000'), type: 'parameters' },
    ]);
  });

  test('that were stored without limits refuse arguments that take too long to check', () => {
    const build = (values: number) => {
      const items = { enum: [...Array(values).fill(0), 1] };
      return { type: 'object', properties: { a: { type: 'array', items } } };
    };
    expect(() => checkArguments(build(10), { a: [1, 1] })).not.toThrow();
    expect(() => checkArguments(build(45_000), { a: Array(100_000).fill(1) })).toThrow(
      expect.objectContaining({
        detail: [{ loc: ['body', 'arguments'], msg: expect.stringContaining('too long'), type: 'argument' }],
      }),
    );
  });

  test('may have objects whose keys are numbers, without 12 KB of memory for each', () => {
    const given = JSON.parse(`[${'{"1022":0},'.repeat(50_000)}0]`);
    const before = process.memoryUsage.rss();
    checkArguments({}, { given }, { ms: 60_000 });
    expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000); // 400 MB
  });

  test('are refused if a name has half a surrogate pair', () => {
    const numbers = { type: 'object', additionalProperties: { type: 'number' } };
    expect(() => checkArguments(numbers, { '\ud800': 'x' })).toThrow(Invalid);
    expect(() => checkArguments(numbers, { '\ud800': 1 })).toThrow(Invalid);
  });

  test('of several calls share the time of their checks', () => {
    const budget = createCheckBudget();
    checkArguments({ type: 'object' }, {}, budget);
    expect(budget.ms).toBeLessThan(createCheckBudget().ms);
  });

  test('that pass are never broken by an argument', () => {
    const schema = fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(
        fc.string(),
        fc.constantFrom<object>(
          { type: 'string', pattern: '^(a+)+$' },
          { type: ['integer', 'null'] },
          { enum: [1, 'x'] },
          { anyOf: [{ type: 'array', items: { type: 'number' }, uniqueItems: true }, { not: {} }] },
        ),
      ),
      required: fc.array(fc.string(), { maxLength: 3 }),
      additionalProperties: fc.boolean(),
    });
    fc.assert(
      fc.property(schema, fc.object(), (parameters, given) => {
        expect(findParametersFaults(parameters, ['x'])).toEqual([]);
        try {
          checkArguments(parameters, given);
        } catch (error) {
          expect(error).toBeInstanceOf(Invalid);
        }
      }),
      { numRuns: runs },
    );
  });

  test('leave patterns to the model, since a regular expression could take for ever', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    expect(() => checkArguments(parameters, { a: `${'a'.repeat(50_000)}!` })).not.toThrow();
  });
});
