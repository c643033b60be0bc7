import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { expect } from 'vitest';
import { importDograh } from '../../clients/cli/import/dograh.ts';
import { importElevenlabs } from '../../clients/cli/import/elevenlabs.ts';
import type { ImportResult } from '../../clients/cli/import/import-document.ts';
import { importRetell } from '../../clients/cli/import/retell.ts';
import type { Warning } from '../../clients/cli/import/source.ts';
import { importVapi } from '../../clients/cli/import/vapi.ts';
import { buildAssistant } from '../../shared/domain/assistant.ts';
import { checkTools } from '../../shared/domain/tools/check.ts';
import { listToolUrls } from '../../shared/domain/tools/tools.ts';
import { findUrlFault } from '../../shared/outbound/url-rules.ts';
import { NewAssistant } from '../../shared/schemas/assistant.ts';

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Place in a document. */
export type Path = (string | number)[];

/** Importers by the name of their platform. */
export const importers: Record<string, (document: unknown) => Promise<ImportResult>> = {
  vapi: importVapi,
  retell: importRetell,
  elevenlabs: importElevenlabs,
  dograh: importDograh,
};

/** Documents of all platforms, in the form of public examples. */
export const documents = Object.entries(importers).flatMap(([platform, read]) =>
  globSync(join(import.meta.dirname, '../data/imports', platform, '*.json'))
    .toSorted()
    .map((file) => ({
      name: `${platform}/${basename(file, '.json')}`,
      platform,
      read,
      document: JSON.parse(readFileSync(file, 'utf8')) as Json,
    })),
);

/** Checks an assistant as `assistants/create` does. */
export async function checkAccepted(assistant: unknown): Promise<void> {
  const content = v.parse(NewAssistant, JSON.parse(JSON.stringify(assistant)));
  expect(await checkTools(buildAssistant(content))).toEqual([]);
  for (const [url] of listToolUrls(content.tools, content.mcp_servers))
    expect(findUrlFault(url, []), url).toBeUndefined();
}

interface Leaf {
  path: Path;
  value: Json;
}

/** Lists all values of a document that are neither objects nor lists. */
export const listLeaves = (value: Json, path: Path = []): Leaf[] => {
  if (Array.isArray(value)) return value.flatMap((one, i) => listLeaves(one, [...path, i]));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => listLeaves(one, [...path, key]));
  return [{ path, value }];
};

/** Returns a copy of a document with another value in one place. */
export function replaceValue(document: Json, path: Path, value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy = (Array.isArray(document) ? [...document] : { ...(document as object) }) as Record<string | number, Json>;
  copy[key] = replaceValue(copy[key] ?? null, rest, value);
  return copy as Json;
}

/** Writes a path as warnings do. */
export const formatPath = (path: Path): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    if (!/^[\w$-]{1,100}$/.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text ? `${text}.${key}` : key;
  }, '');

/** Returns all warnings of an import. */
export const listWarnings = ({ assistants, warnings }: ImportResult): Warning[] => [
  ...warnings,
  ...assistants.flatMap((one) => one.warnings),
];

/** True if a warning names a path or something that holds it. A path of an agent in a list starts at the agent. */
export const isNamed = (path: Path, warnings: Warning[]): boolean => {
  const starts = path.map((_, i) => formatPath(path.slice(i)));
  return warnings.some((warning) =>
    starts.some(
      (text) =>
        text === warning.path || (text.startsWith(warning.path) && /^[.[]/.test(text.slice(warning.path.length))),
    ),
  );
};
