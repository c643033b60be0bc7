import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsOf } from '../../infra/config.ts';
import type { Settings } from '../../infra/settings.ts';
import { build, type Stacks, type Synthesized } from './stacks.ts';

export const prod = settingsOf('prod');

/** The stacks of an environment that is as prod but for this. */
export const changed = (different: Partial<Settings>) => build('own', { ...prod, ...different });

/** The two stacks of its console. Throws where there is none. */
export function consoleOf({ console, consoleFiles }: Stacks): [Synthesized, Synthesized] {
  if (!console || !consoleFiles) throw new Error('There is no console');
  return [console, consoleFiles];
}

export interface Deployed {
  SourceObjectKeys: string[];
  SourceMarkers?: Record<string, unknown>[];
  Exclude?: string[];
  Include?: string[];
  SystemMetadata: Record<string, string>;
  Prune: boolean;
  DestinationBucketKeyPrefix: string;
}

/** What puts files into a bucket, by the name that it has in the stack. */
export function deployment(of: Stacks, name: string) {
  const [, files] = consoleOf(of);
  const found = files.all<Deployed>('Custom::CDKBucketDeployment').find(({ id }) => id.startsWith(name));
  if (!found) throw new Error(`There is no deployment ${name}`);
  return found as typeof found & { DependsOn?: string[] };
}

/** A file as the last source that has it, with the names of what is put in the place of its markers. */
export function written(of: Stacks, name: string, file: string): string {
  const { SourceObjectKeys, SourceMarkers = [] } = deployment(of, name).Properties;
  const paths = SourceObjectKeys.map((key) => join(of.outdir, `asset.${key.replace('.zip', '')}`, file));
  const source = paths.findLastIndex((path) => existsSync(path));
  const short = (marker: string) => {
    const { Ref = '' } = (SourceMarkers[source]?.[marker] ?? {}) as { Ref?: string };
    const [, resource, attribute = ''] = /.*voiceassistantsown(\w+?)[0-9A-F]{8}(\w*)$/.exec(Ref) ?? [];
    return resource ? `{${[resource, attribute.replace(/^Ref$/, '')].filter(Boolean).join('.')}}` : `{${Ref}}`;
  };
  return readFileSync(paths[source] ?? '', 'utf8').replace(/<<marker:[^>]+>>/g, short);
}
