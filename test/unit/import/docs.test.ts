import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { getKeyVariable, platforms } from '../../../clients/cli/import/api/agents.ts';
import { importAgents } from '../../../clients/cli/import/import-agents.ts';
import { documents, formatPath, importers, isNamed, listLeaves, listWarnings } from '../../support/import-documents.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/import.md'), 'utf8');

const getSection = (heading: string): string =>
  page.split(/^#{2,3} /m).find((section) => section.split('\n', 1)[0] === heading) ?? '';

const listCode = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

const listRows = (section: string): [left: string, right: string][] =>
  section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(1, -1).replaceAll('\\|', '\u0000').split('|'))
    .map(([left = '', right = '']) => [left.replaceAll('\u0000', '|').trim(), right.replaceAll('\u0000', '|').trim()]);

/** Lists the places of a field in the documents of a platform, with the warnings of each document. */
async function findPlaces(platform: string, field: string) {
  const own = documents.filter((one) => one.platform === platform);
  const places = [];
  for (const { read, document } of own) {
    const paths = listLeaves(document).map(({ path }) => path);
    const holders = paths.filter((path) =>
      `${formatPath(path.filter((key) => typeof key === 'string'))}.`.includes(`${field}.`),
    );
    if (holders.length > 0) places.push({ path: holders, warnings: listWarnings(await read(document)) });
  }
  return places;
}

describe.each([
  ['vapi', 'Vapi'],
  ['retell', 'Retell'],
  ['elevenlabs', 'ElevenLabs'],
  ['dograh', 'Dograh'],
])('docs/import.md of %s', (platform, heading) => {
  const section = getSection(heading);
  const [, lost = ''] = /^Not: ([\s\S]*?)\.(?: |$)/m.exec(section) ?? [];
  const isField = (code: string) => /^[\w.]+$/.test(code) && (code.includes('.') || /[A-Z_]/.test(code));

  test('names only fields that are taken over', async () => {
    const fields = listRows(section).flatMap(([left]) => listCode(left.replace(/ of the (?:types?|role) .*/, '')));
    expect(fields.length).toBeGreaterThan(3);
    for (const field of fields) {
      const places = await findPlaces(platform, field);
      const isTaken = places.some(({ path, warnings }) =>
        path.some(
          (one) =>
            !isNamed(
              one,
              warnings.filter(({ kind }) => kind === 'lost'),
            ),
        ),
      );
      expect(isTaken, field).toBe(true);
    }
  });

  test('names only fields as lost that are', async () => {
    for (const field of listCode(lost).filter(isField)) {
      const places = await findPlaces(platform, field);
      expect(places.length, field).toBeGreaterThan(0);
      for (const { path, warnings } of places)
        for (const one of path) expect(isNamed(one, warnings), `${field}: ${formatPath(one)}`).toBe(true);
    }
  });
});

test('the variables in docs/import.md become what it says', async () => {
  const rows = listRows(getSection('Variables'));
  expect(rows.length).toBe(5);
  for (const [left, right] of rows) {
    const [expected = ''] = listCode(right);
    for (const tag of listCode(left)) {
      const prompts = [];
      for (const [platform, read] of Object.entries(importers)) {
        const prompt = `Now: ${tag}.`;
        const agents: Record<string, unknown> = {
          vapi: { model: { messages: [{ role: 'system', content: prompt }] } },
          retell: { general_prompt: prompt },
          elevenlabs: { conversation_config: { agent: { prompt: { prompt } } } },
          dograh: { nodes: [{ id: '1', type: 'startCall', data: { prompt } }], edges: [] },
        };
        const [one] = (await read(agents[platform])).assistants;
        prompts.push(one?.assistant?.system_instruction?.replace(/\{\{call/, '{{ call').replace(/(\w)\}\}/, '$1 }}'));
      }
      expect(prompts, tag).toContain(`Now: ${expected}.`);
    }
  }
});

test('the example in docs/import.md prints what it shows', async () => {
  const document = {
    ...{ id: '8f2c', orgId: '41d0', createdAt: '2026-01-01T00:00:00Z', name: 'Reception' },
    model: {
      messages: [{ role: 'system', content: 'Help.' }],
      tools: [
        {
          type: 'function',
          function: { name: 'find_order', description: 'Finds it.' },
          server: { url: 'https://api.example.com/vapi', secret: 'x' },
        },
      ],
    },
    analysisPlan: { summaryPlan: { enabled: true } },
  };
  const lines: string[] = [];
  const code = await importAgents(
    ['vapi'],
    { file: '-', 'dry-run': true },
    {
      create: async () => ({ id: '' }),
      print: (line) => void lines.push(line),
      printError: (line) => void lines.push(line),
      env: {},
      stdin: (async function* () {
        yield JSON.stringify(document);
      })(),
    },
  );
  expect(code).toBe(0);
  expect(getSection('Try it first')).toContain(lines.join('\n'));
});

test('docs/import.md names the variable of each key', () => {
  for (const platform of platforms) expect(page).toContain(`| \`${platform}\` | \`${getKeyVariable(platform)}\` |`);
});
