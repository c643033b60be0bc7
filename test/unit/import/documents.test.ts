import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { importDograh } from '../../../clients/cli/import/dograh.ts';
import { importElevenlabs } from '../../../clients/cli/import/elevenlabs.ts';
import type { ImportResult } from '../../../clients/cli/import/import-document.ts';
import { importRetell } from '../../../clients/cli/import/retell.ts';
import type { Warning } from '../../../clients/cli/import/source.ts';
import { importVapi } from '../../../clients/cli/import/vapi.ts';
import { buildAssistant } from '../../../shared/domain/assistant.ts';
import { checkTools } from '../../../shared/domain/tools/check.ts';
import { listToolUrls } from '../../../shared/domain/tools/tools.ts';
import { findUrlFault } from '../../../shared/outbound/url-rules.ts';
import { NewAssistant } from '../../../shared/schemas/assistant.ts';
import { drawSample } from '../../support/sample.ts';

const folder = join(import.meta.dirname, '../../data/imports');

const importers = { vapi: importVapi, retell: importRetell, elevenlabs: importElevenlabs, dograh: importDograh };

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const documents = Object.entries(importers).flatMap(([peer, read]) =>
  globSync(join(folder, peer, '*.json'))
    .toSorted()
    .map((file) => ({
      name: `${peer}/${basename(file, '.json')}`,
      read: read as (document: unknown) => Promise<ImportResult>,
      document: JSON.parse(readFileSync(file, 'utf8')) as Json,
    })),
);

/** Checks an assistant as `assistants/create` does. */
async function checkAccepted(assistant: unknown): Promise<void> {
  const content = v.parse(NewAssistant, JSON.parse(JSON.stringify(assistant)));
  const undeclared = await checkTools(buildAssistant(content));
  expect(undeclared).toEqual([]);
  for (const [url] of listToolUrls(content.tools, content.mcp_servers))
    expect(findUrlFault(url, []), url).toBeUndefined();
}

interface Leaf {
  path: (string | number)[];
  value: Json;
}

const listLeaves = (value: Json, path: (string | number)[] = []): Leaf[] => {
  if (Array.isArray(value)) return value.flatMap((one, i) => listLeaves(one, [...path, i]));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => listLeaves(one, [...path, key]));
  return [{ path, value }];
};

/** Returns a copy of a document with another value in one place. */
function replaceLeaf(document: Json, path: (string | number)[], value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy = (Array.isArray(document) ? [...document] : { ...(document as object) }) as Record<string | number, Json>;
  copy[key] = replaceLeaf(copy[key] ?? null, rest, value);
  return copy as Json;
}

/** Writes a path as warnings do. */
const formatPath = (path: (string | number)[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    if (!/^[\w$-]{1,100}$/.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text ? `${text}.${key}` : key;
  }, '');

/** True if a warning names a path or something that holds it. A path of an agent in a list starts at the agent. */
const isNamed = (path: (string | number)[], warnings: Warning[]): boolean => {
  const starts = path.map((_, i) => formatPath(path.slice(i)));
  return warnings.some((warning) =>
    starts.some(
      (text) =>
        text === warning.path || (text.startsWith(warning.path) && /^[.[]/.test(text.slice(warning.path.length))),
    ),
  );
};

const listWarnings = ({ assistants, warnings }: ImportResult) => [
  ...warnings,
  ...assistants.flatMap((one) => one.warnings),
];

test('ten documents of each platform are there', () => {
  for (const peer of Object.keys(importers))
    expect(documents.filter(({ name }) => name.startsWith(`${peer}/`)).length).toBeGreaterThanOrEqual(10);
});

describe.each(documents)('$name', ({ name, read, document }) => {
  test('gives assistants that the service accepts, or a reason', async () => {
    const { assistants } = await read(document);
    expect(assistants.length).toBeGreaterThan(0);
    for (const { assistant, refusal } of assistants) {
      if (assistant) await checkAccepted(assistant);
      else expect(refusal).toMatch(/^It .{10,}/);
    }
  });

  test('loses no text and no number without a warning that names it', async () => {
    const leaves = listLeaves(document).filter(({ value }) => typeof value === 'string' || typeof value === 'number');
    for (const { path, value } of drawSample(leaves, 25, (leaf) => [name, formatPath(leaf.path)])) {
      const marker = typeof value === 'string' ? 'marker7351' : 7351.5;
      const changed = await read(replaceLeaf(document, path, marker));
      const isRefused = changed.assistants.some(({ refusal }) => refusal !== undefined);
      const isKept = JSON.stringify(changed.assistants.map(({ assistant }) => assistant)).includes('7351');
      const where = formatPath(path);
      expect(isKept || isRefused || isNamed(path, listWarnings(changed)), where).toBe(true);
    }
  });

  test('loses no field that nobody knows without a warning that names it', async () => {
    const objects = new Set(listLeaves(document).map(({ path }) => JSON.stringify(path.slice(0, -1))));
    for (const text of drawSample([...objects], 15, (one) => [name, one])) {
      const path = [...(JSON.parse(text) as (string | number)[]), 'fieldOfTomorrow'];
      const parent = path
        .slice(0, -1)
        .reduce<Json>((value, key) => (value as Record<string | number, Json>)[key] ?? null, document);
      if (Array.isArray(parent)) continue;
      const changed = await read(replaceLeaf(document, path, { of: 'tomorrow7351' }));
      const isRefused = changed.assistants.some(({ refusal }) => refusal !== undefined);
      const isKept = JSON.stringify(changed.assistants.map(({ assistant }) => assistant)).includes('7351');
      expect(isKept || isRefused || isNamed(path, listWarnings(changed)), formatPath(path)).toBe(true);
    }
  });
});
