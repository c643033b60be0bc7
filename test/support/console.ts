import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getSettings } from '../../infra/config.ts';
import type { Settings } from '../../infra/settings.ts';
import { buildStacks, type Stacks, type StackTemplate } from './stacks.ts';

export const prod = getSettings('prod');

/** Builds the stacks of an environment with prod's settings, except for `different`. */
export const buildProdStacks = (different: Partial<Settings>) => buildStacks('own', { ...prod, ...different });

/** Returns the two stacks of the console. Throws if there is no console. */
export function getConsoleStacks({ console, consoleFiles }: Stacks): [StackTemplate, StackTemplate] {
  if (!console || !consoleFiles) throw new Error('There is no console');
  return [console, consoleFiles];
}

export interface BucketDeployment {
  SourceObjectKeys: string[];
  SourceMarkers?: Record<string, unknown>[];
  Exclude?: string[];
  Include?: string[];
  SystemMetadata: Record<string, string>;
  Prune: boolean;
  DestinationBucketKeyPrefix: string;
}

/** Returns the bucket deployment with this construct name. */
export function getBucketDeployment(stacks: Stacks, name: string) {
  const [, files] = getConsoleStacks(stacks);
  const found = files.list<BucketDeployment>('Custom::CDKBucketDeployment').find(({ id }) => id.startsWith(name));
  if (!found) throw new Error(`There is no deployment ${name}`);
  return found as typeof found & { DependsOn?: string[] };
}

/** Reads a deployed file from the last source that contains it. Replaces its markers by the names of the values they stand in for. */
export function readDeployedFile(stacks: Stacks, name: string, file: string): string {
  const { SourceObjectKeys, SourceMarkers = [] } = getBucketDeployment(stacks, name).Properties;
  const paths = SourceObjectKeys.map((key) => join(stacks.outdir, `asset.${key.replace('.zip', '')}`, file));
  const source = paths.findLastIndex((path) => existsSync(path));
  const toPlaceholder = (marker: string) => {
    const { Ref = '' } = (SourceMarkers[source]?.[marker] ?? {}) as { Ref?: string };
    const [, resource, attribute = ''] = /.*voiceassistantsown(\w+?)[0-9A-F]{8}(\w*)$/.exec(Ref) ?? [];
    return resource ? `{${[resource, attribute.replace(/^Ref$/, '')].filter(Boolean).join('.')}}` : `{${Ref}}`;
  };
  return readFileSync(paths[source] ?? '', 'utf8').replace(/<<marker:[^>]+>>/g, toPlaceholder);
}
