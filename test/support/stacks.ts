import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { noRoutes } from '../../infra/no-routes.ts';
import { review } from '../../infra/review.ts';
import type { Settings } from '../../infra/settings.ts';
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

export interface LambdaFunction {
  Description: string;
  FunctionName: string;
  Runtime: string;
  Architectures: string[];
  Handler: string;
  Timeout: number;
  Role: unknown;
  Code: { S3Key: string };
  Environment: { Variables: Record<string, unknown> };
  LoggingConfig: { LogGroup: unknown; LogFormat: string };
}

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: unknown;
}

export interface Role {
  AssumeRolePolicyDocument: { Statement: { Principal: { Service: string } }[] };
  ManagedPolicyArns?: unknown[];
  Policies?: { PolicyDocument: { Statement: Statement[] } }[];
}

/** A version or an alias: what it stands for. */
interface Target {
  FunctionName: unknown;
  FunctionVersion?: unknown;
}

const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8'));

/** The functions behind the gateway. */
export const ids = [...routes.map(({ id }) => id), 'fallback'];

const folder = mkdtempSync(join(tmpdir(), 'stack-test-'));
// The files of a worker share this module.
process.once('exit', () => rmSync(folder, { recursive: true }));

// A stub for each function: what the template says does not depend on what the code does.
const bundles = join(folder, 'bundles');
for (const id of [...routes.map((route) => route.id), ...noRoutes]) {
  const file = join(bundles, id, 'index.js');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, id);
}

// And pages for the console.
const consoleFolder = join(folder, 'console');
const page = '<!doctype html><meta charset="utf-8" /><script src="x.js"></script>';
const consoleFiles = {
  'index.html': page,
  'docs/index.html': page,
  'openapi.json': '{"openapi":"3.1.0"}',
  'assets/index-C0ffee.js': '',
};
for (const [path, content] of Object.entries(consoleFiles)) {
  const file = join(consoleFolder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Builds the stacks of an environment as infra/app.ts does. */
export function synthesized(name: string, settings: Settings) {
  const outdir = mkdtempSync(join(folder, `${name}-`));
  const app = new App({ context: { ...context, env: name }, outdir });
  const service = new ServiceStack(app, `voice-assistants-${name}`, {
    settings,
    environment: name,
    bundles,
    consoleFolder,
  });
  return { app, outdir, service };
}

/** Has cdk-nag review the stacks of an environment. Throws where it finds what is not accepted. */
export function reviewed(name: string, settings: Settings): void {
  const { app } = synthesized(name, settings);
  review(app, settings);
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

/** The stacks of an environment, with the ways from one resource to another. */
export function build(name: string, settings: Settings) {
  const { outdir, service } = synthesized(name, settings);
  const storage = new Synthesized(Template.fromStack(service));
  const api = new Synthesized(Template.fromStack(service.api));
  const ingestion = new Synthesized(Template.fromStack(service.ingestion));
  const monitoring = new Synthesized(Template.fromStack(service.monitoring));
  const site = service.console && new Synthesized(Template.fromStack(service.console));
  const consoleFiles = service.consoleFiles && new Synthesized(Template.fromStack(service.consoleFiles));
  const nested = storage.all<{ Parameters: Record<string, unknown> }>('AWS::CloudFormation::Stack');
  const Parameters = Object.assign({}, ...nested.map(({ Properties }) => Properties.Parameters));

  /** What a value of the API's template stands for: `Table.Arn`, as the template names it; text stands for itself. */
  const meaning = (value: unknown): string => {
    if (typeof value === 'string') return value;
    const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': joined } = value as Record<string, unknown>;
    if (Array.isArray(joined)) return joined[1].map(meaning).join(joined[0]);
    if (typeof Ref === 'string') return Ref in Parameters ? `storage ${meaning(Parameters[Ref])}` : Ref;
    return Array.isArray(attribute) ? attribute.join('.') : JSON.stringify(value);
  };

  const functions = api.all<LambdaFunction>('AWS::Lambda::Function');
  const functionOf = (id: string) => {
    const found = functions.filter(({ Properties }) => Properties.Description === id);
    if (!found[0] || found.length > 1) throw new Error(`There should be one function ${id}`);
    return found[0];
  };
  const roles = new Map(api.all<Role>('AWS::IAM::Role').map((role) => [`${role.id}.Arn`, role.Properties]));
  const roleOf = (id: string): Role => {
    const role = roles.get(meaning(functionOf(id).Properties.Role));
    if (!role) throw new Error(`${id} has no role of this stack`);
    return role;
  };
  const targets = new Map(
    [...api.all<Target>('AWS::Lambda::Version'), ...api.all<Target>('AWS::Lambda::Alias')].map(({ id, Properties }) => {
      const { FunctionVersion, FunctionName } = Properties;
      return [id, meaning(FunctionVersion ?? FunctionName).replace(/\.Version$/, '')];
    }),
  );
  /** The function that an alias leads to, by the version that it stands for. */
  const functionBehind = (alias: string) => targets.get(targets.get(alias) ?? '');
  return {
    service,
    settings,
    outdir,
    storage,
    api,
    ingestion,
    monitoring,
    console: site,
    consoleFiles,
    meaning,
    functions,
    functionOf,
    functionBehind,
    roleOf,
  };
}

export type Stacks = ReturnType<typeof build>;
