import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { routes } from '../../shared/routes/index.ts';
import { settingsOf, stackNameOf } from '../config.ts';
import { noRoutes } from '../no-routes.ts';
import type { Settings } from '../settings.ts';
import { ServiceStack } from '../stack.ts';

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
}

/** What an environment deploys. */
export interface Deployment {
  settings: Settings;
  resources: Resource[];
}

/** The resources of an environment's templates. The functions are stubs, since a bill is the same whatever they do. */
export function deploymentOf(environment: string): Deployment {
  const settings = settingsOf(environment);
  const folder = mkdtempSync(join(tmpdir(), 'cost-'));
  try {
    const bundles = join(folder, 'bundles');
    for (const id of [...routes.map(({ id }) => id), ...noRoutes]) {
      mkdirSync(join(bundles, id), { recursive: true });
      writeFileSync(join(bundles, id, 'index.js'), id);
    }
    const consoleFolder = join(folder, 'console');
    mkdirSync(join(consoleFolder, 'docs'), { recursive: true });
    for (const page of ['index.html', 'docs/index.html'])
      writeFileSync(join(consoleFolder, page), '<meta charset="utf-8">');
    writeFileSync(join(consoleFolder, 'openapi.json'), '{}');
    const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8'));
    const app = new App({ context, outdir: join(folder, 'cdk.out') });
    new ServiceStack(app, stackNameOf(environment), { settings, environment, bundles, consoleFolder });
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

/** The memory of a route's function in MB. */
export function memoryOf(route: string, { resources }: Deployment): number {
  const found = resources.find(
    ({ Type, Properties }) => Type === 'AWS::Lambda::Function' && Properties.Description === route,
  );
  if (!found) throw new Error(`The templates have no function ${route}`);
  return Number(found.Properties.MemorySize);
}

/** Whether a web ACL looks at each request, which is billed. */
export const hasFirewall = ({ resources }: Deployment): boolean =>
  resources.some(({ Type }) => Type === 'AWS::WAFv2::WebACL');
