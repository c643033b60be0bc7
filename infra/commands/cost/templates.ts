import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { routes } from '../../../shared/routes/index.ts';
import { getSettings, toStackName } from '../../config.ts';
import type { Settings } from '../../settings.ts';
import { nonRouteFunctions } from '../../stacks/non-route-functions.ts';
import { ServiceStack } from '../../stacks/service.ts';

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
}

/** Settings of an environment, and the resources of its templates. */
export interface SynthesizedStack {
  settings: Settings;
  resources: Resource[];
}

/** Synthesizes the stacks of an environment. The functions are stubs, since their code does not affect the bill. */
export function synthesizeStack(environment: string): SynthesizedStack {
  const settings = getSettings(environment);
  const folder = mkdtempSync(join(tmpdir(), 'cost-'));
  try {
    const bundles = join(folder, 'bundles');
    for (const id of [...routes.map(({ id }) => id), ...nonRouteFunctions]) {
      mkdirSync(join(bundles, id), { recursive: true });
      writeFileSync(join(bundles, id, 'index.js'), id);
    }
    const consoleFolder = join(folder, 'console');
    mkdirSync(join(consoleFolder, 'docs'), { recursive: true });
    for (const page of ['index.html', 'docs/index.html'])
      writeFileSync(join(consoleFolder, page), '<meta charset="utf-8">');
    writeFileSync(join(consoleFolder, 'openapi.json'), '{}');
    const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../cdk.json'), 'utf8'));
    const app = new App({ context, outdir: join(folder, 'cdk.out') });
    new ServiceStack(app, toStackName(environment), { settings, environment, bundles, consoleFolder });
    const { directory } = app.synth();
    const templates = globSync('*.template.json', { cwd: directory }).sort();
    const resources = templates.flatMap((file): Resource[] =>
      Object.values(JSON.parse(readFileSync(join(directory, file), 'utf8')).Resources),
    );
    return { settings, resources };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the memory of a route's function in MB. */
export function getMemoryMb(route: string, { resources }: SynthesizedStack): number {
  const found = resources.find(
    ({ Type, Properties }) => Type === 'AWS::Lambda::Function' && Properties.Description === route,
  );
  if (!found) throw new Error(`The templates have no function ${route}`);
  return Number(found.Properties.MemorySize);
}

/** True if people sign in at a user pool of the stack, which is billed per user. */
export const hasUserPool = ({ settings }: SynthesizedStack): boolean => settings.identity.kind === 'cognito';

/** True if a web ACL, which is billed per request, inspects the requests. */
export const hasFirewall = ({ resources }: SynthesizedStack): boolean =>
  resources.some(({ Type }) => Type === 'AWS::WAFv2::WebACL');
