import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { App } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import type { Settings } from '../../infra/config.ts';
import { noRoutes } from '../../infra/no-routes.ts';
import { review } from '../../infra/review.ts';
import { ServiceStack } from '../../infra/stack.ts';
import { routes } from '../../shared/routes/index.ts';

/** A resource of a template. */
export interface Resource<Properties = Record<string, unknown>> {
  id: string;
  Type: string;
  Properties: Properties;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  UpdatePolicy?: object;
}

const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8'));

const folder = mkdtempSync(join(tmpdir(), 'stack-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

// A stub for each function: what the template says does not depend on what the code does.
const bundles = join(folder, 'bundles');
for (const id of [...routes.map((route) => route.id), ...noRoutes]) {
  const file = join(bundles, id, 'index.js');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, id);
}

/** Builds the stacks of an environment as infra/app.ts does. */
export function synthesized(name: string, settings: Settings) {
  const outdir = mkdtempSync(join(folder, `${name}-`));
  const app = new App({ context: { ...context, env: name }, outdir });
  const service = new ServiceStack(app, `voice-assistants-${name}`, { settings, environment: name, bundles });
  return { app, outdir, service };
}

/** Has cdk-nag review the stacks of an environment. Throws where it finds what is not accepted. */
export function reviewed(name: string, settings: Settings): void {
  const { app } = synthesized(name, settings);
  review(app);
  app.synth();
}

/** A synthesized stack. */
export class Synthesized {
  readonly resources: Resource[];
  readonly outputs: Record<string, { Value: unknown; Export?: { Name: string } }>;

  constructor(template: Template) {
    const { Resources, Outputs } = template.toJSON();
    this.resources = Object.entries<Omit<Resource, 'id'>>(Resources).map(([id, resource]) => ({ id, ...resource }));
    this.outputs = Outputs ?? {};
  }

  all<Properties>(type: string): Resource<Properties>[] {
    return this.resources.filter(({ Type }) => Type === type) as Resource<Properties>[];
  }

  /** The only resource of a type. */
  one<Properties>(type: string): Resource<Properties> {
    const [first, ...others] = this.all<Properties>(type);
    if (!first || others.length > 0) throw new Error(`There should be one ${type}`);
    return first;
  }
}
