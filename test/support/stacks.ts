import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { App, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { Settings } from '../../infra/settings.ts';
import { nonRouteFunctions } from '../../infra/stacks/non-route-functions.ts';
import { review } from '../../infra/stacks/review.ts';
import { ServiceStack } from '../../infra/stacks/service.ts';
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

/** Properties of a version or an alias. */
interface Target {
  FunctionName: unknown;
  FunctionVersion?: unknown;
}

const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8'));

/** Ids of the functions behind the gateway. */
export const functionIds = [...routes.map(({ id }) => id), 'fallback'];

const folder = mkdtempSync(join(tmpdir(), 'stack-test-'));
// The test files of a vitest worker share this module.
process.once('exit', () => rmSync(folder, { recursive: true }));

// Bundle stubs are enough, because templates do not depend on the code of the functions.
const bundles = join(folder, 'bundles');
for (const id of [...routes.map((route) => route.id), ...nonRouteFunctions]) {
  const file = join(bundles, id, 'index.js');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, id);
}

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
export function synthesizeStacks(name: string, settings: Settings) {
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

/** Reviews the stacks of an environment with cdk-nag. Throws on findings that are not accepted. */
export function reviewStacks(name: string, settings: Settings): void {
  const { app } = synthesizeStacks(name, settings);
  review(app, settings);
  app.synth();
}

/** The template of a synthesized stack. */
export class StackTemplate {
  readonly resources: Resource[];
  readonly outputs: Record<string, { Value: unknown; Export?: { Name: string } }>;

  constructor(template: Template) {
    const { Resources, Outputs } = template.toJSON();
    this.resources = Object.entries<Omit<Resource, 'id'>>(Resources).map(([id, resource]) => ({ id, ...resource }));
    this.outputs = Outputs ?? {};
  }

  list<Properties>(type: string): Resource<Properties>[] {
    return this.resources.filter(({ Type }) => Type === type) as Resource<Properties>[];
  }

  /** Returns the only resource of a type. Throws unless there is exactly one. */
  getOnly<Properties>(type: string): Resource<Properties> {
    const [first, ...others] = this.list<Properties>(type);
    if (!first || others.length > 0) throw new Error(`There should be one ${type}`);
    return first;
  }
}

function build(name: string, settings: Settings) {
  const { outdir, service } = synthesizeStacks(name, settings);
  const storage = new StackTemplate(Template.fromStack(service));
  const api = new StackTemplate(Template.fromStack(service.api));
  const toTemplate = (stack: Stack) => new StackTemplate(Template.fromStack(stack));
  const events = toTemplate(service.events);
  const webhooks = toTemplate(service.webhooks);
  const others = Object.values(service.routeStacks).map(toTemplate);
  /** Stacks with functions of routes. */
  const routeStacks = [api, ...others];
  const ingestion = new StackTemplate(Template.fromStack(service.ingestion));
  const monitoring = new StackTemplate(Template.fromStack(service.monitoring));
  const site = service.console && new StackTemplate(Template.fromStack(service.console));
  const consoleFiles = service.consoleFiles && new StackTemplate(Template.fromStack(service.consoleFiles));
  const nested = storage.list<{ Parameters: Record<string, unknown> }>('AWS::CloudFormation::Stack');
  const Parameters = Object.assign({}, ...nested.map(({ Properties }) => Properties.Parameters));

  /** Resolves a value of a template to text: references to their target, such as `Table.Arn`, and those to outputs of other nested stacks. */
  const resolveValue = (value: unknown): string => {
    if (typeof value === 'string') return value;
    const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': joined } = value as Record<string, unknown>;
    if (Array.isArray(joined)) return joined[1].map(resolveValue).join(joined[0]);
    if (typeof Ref === 'string' && Ref in Parameters) {
      const output = findOutput(Parameters[Ref]);
      return output ? resolveValue(output.Value) : `storage ${resolveValue(Parameters[Ref])}`;
    }
    if (typeof Ref === 'string') return Ref;
    return Array.isArray(attribute) ? attribute.join('.') : JSON.stringify(value);
  };

  const findOutput = (value: unknown) => {
    const { 'Fn::GetAtt': [, name = ''] = [] } = value as { 'Fn::GetAtt'?: string[] };
    return Object.assign({}, ...others.map(({ outputs }) => outputs))[name.replace(/^Outputs\./, '')];
  };

  /** Functions behind the gateway. */
  const functions = routeStacks
    .flatMap((template) => template.list<LambdaFunction>('AWS::Lambda::Function'))
    .filter(({ Properties }) => functionIds.includes(Properties.Description));
  const getFunction = (id: string) => {
    const found = functions.filter(({ Properties }) => Properties.Description === id);
    if (!found[0] || found.length > 1) throw new Error(`There should be one function ${id}`);
    return found[0];
  };
  const roles = new Map(
    routeStacks
      .flatMap((template) => template.list<Role>('AWS::IAM::Role'))
      .map((role) => [`${role.id}.Arn`, role.Properties]),
  );
  const getRole = (id: string): Role => {
    const role = roles.get(resolveValue(getFunction(id).Properties.Role));
    if (!role) throw new Error(`${id} has no role of this stack`);
    return role;
  };
  const targets = new Map(
    routeStacks
      .flatMap((template) => [
        ...template.list<Target>('AWS::Lambda::Version'),
        ...template.list<Target>('AWS::Lambda::Alias'),
      ])
      .map(({ id, Properties }) => {
        const { FunctionVersion, FunctionName } = Properties;
        return [id, resolveValue(FunctionVersion ?? FunctionName).replace(/\.Version$/, '')];
      }),
  );
  /** Returns the logical id of the function behind an alias. */
  const getAliasedFunction = (alias: string) => targets.get(targets.get(alias) ?? '');
  return {
    service,
    settings,
    outdir,
    storage,
    api,
    events,
    webhooks,
    routeStacks,
    ingestion,
    monitoring,
    console: site,
    consoleFiles,
    resolveValue,
    functions,
    getFunction,
    getAliasedFunction,
    getRole,
  };
}

export type Stacks = ReturnType<typeof build>;

const built = new Map<string, Stacks>();

/**
 * Returns the stacks of an environment, with functions that follow references between their resources. Builds them once, since the test
 * files of a worker share them: tests must not change them.
 */
export function buildStacks(name: string, settings: Settings): Stacks {
  const key = JSON.stringify([name, settings]);
  const stacks = built.get(key) ?? build(name, settings);
  built.set(key, stacks);
  return stacks;
}
