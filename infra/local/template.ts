import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A resource of a template, with its logical id and stack. */
export interface Resource {
  id: string;
  stack: string;
  Type: string;
  Properties: Record<string, unknown>;
  Metadata?: Record<string, string>;
}

/**
 * Returns the attributes that a resource has on this machine, including `Ref`. `resolve` evaluates an expression of the resource's
 * template.
 */
export type AttributeResolver = (
  resource: Resource,
  resolve: (expression: unknown) => unknown,
) => Record<string, string>;

interface Stack {
  resources: Record<string, Omit<Resource, 'id' | 'stack'>>;
  outputs: Record<string, { Value: unknown }>;
  /** Parameters that a parent passes to a nested stack, as expressions of the parent. */
  parameters: Record<string, unknown>;
  parent: string;
}

const nestedStackType = 'AWS::CloudFormation::Stack';

const pseudoParameters: Record<string, string> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'us-east-1',
  'AWS::AccountId': '000000000000',
  'AWS::URLSuffix': 'amazonaws.com',
};

export const toArn = (service: string, name: string): string =>
  `arn:${pseudoParameters['AWS::Partition']}:${service}:${pseudoParameters['AWS::Region']}:${pseudoParameters['AWS::AccountId']}:${name}`;

/** The synthesized templates of all stacks, including nested ones. Resolves their expressions to values of this machine. */
export class Assembly {
  readonly dir: string;
  readonly #stacks = new Map<string, Stack>();
  readonly #resolvers: Record<string, AttributeResolver>;

  constructor(dir: string, resolvers: Record<string, AttributeResolver>) {
    this.dir = dir;
    this.#resolvers = resolvers;
    const { artifacts } = this.#read('manifest.json') as {
      artifacts: Record<string, { type: string; properties: { templateFile: string } }>;
    };
    for (const [name, { type, properties }] of Object.entries(artifacts)) {
      if (type === 'aws:cloudformation:stack') this.#load(name, properties.templateFile);
    }
  }

  #read(file: string): unknown {
    return JSON.parse(readFileSync(join(this.dir, file), 'utf8'));
  }

  #load(name: string, file: string, parameters: Stack['parameters'] = {}, parent = ''): void {
    const { Resources: resources, Outputs: outputs = {} } = this.#read(file) as {
      Resources: Stack['resources'];
      Outputs?: Stack['outputs'];
    };
    this.#stacks.set(name, { resources, outputs, parameters, parent });
    for (const [id, { Type, Properties, Metadata }] of Object.entries(resources)) {
      if (Type !== nestedStackType) continue;
      this.#load(
        `${name}-${id}`,
        Metadata?.['aws:asset:path'] ?? '',
        Properties.Parameters as Stack['parameters'],
        name,
      );
    }
  }

  /** Lists the resources of a type in all stacks. */
  listResources(type: string): Resource[] {
    return [...this.#stacks].flatMap(([stack, { resources }]) =>
      Object.entries(resources)
        .filter(([, { Type }]) => Type === type)
        .map(([id, resource]) => ({ ...resource, id, stack })),
    );
  }

  /** Returns an output of a top-level stack. */
  getOutput(name: string): string {
    for (const [stack, { outputs, parent }] of this.#stacks)
      if (parent === '' && outputs[name]) return String(this.resolve(outputs[name].Value, stack));
    throw new Error(`The templates have no output ${name}`);
  }

  /** Lists the service's functions. Functions of custom resources have no name: only CloudFormation calls them, for example to empty a bucket. */
  listFunctions(): Resource[] {
    return this.listResources('AWS::Lambda::Function').filter(({ Properties }) => 'FunctionName' in Properties);
  }

  /** Evaluates an expression of a template. Throws if the local host does not support it. */
  resolve(expression: unknown, stack: string): unknown {
    if (typeof expression !== 'object' || expression === null) return expression;
    if (Array.isArray(expression)) return expression.map((item) => this.resolve(item, stack));
    const [[name, argument] = ['', undefined], ...others] = Object.entries(expression);
    if (others.length === 0) {
      if (name === 'Ref') return this.#resolveRef(stack, argument as string);
      if (name === 'Fn::GetAtt') return this.#resolveAttribute(stack, ...(argument as [string, string]));
      if (name === 'Fn::Join') {
        const [separator, parts] = argument as [string, unknown[]];
        return parts.map((part) => this.resolve(part, stack)).join(separator);
      }
      if (name === 'Fn::Split') {
        const [separator, text] = argument as [string, unknown];
        return String(this.resolve(text, stack)).split(separator);
      }
      if (name === 'Fn::Select') {
        const [index, list] = argument as [number, unknown];
        return (this.resolve(list, stack) as unknown[])[index];
      }
      if (name.startsWith('Fn::')) throw new Error(`The local host does not support ${name}`);
    }
    return Object.fromEntries(Object.entries(expression).map(([key, inner]) => [key, this.resolve(inner, stack)]));
  }

  #resolveRef(stack: string, name: string): unknown {
    const { parameters = {}, parent = '' } = this.#stacks.get(stack) ?? {};
    if (name in pseudoParameters) return pseudoParameters[name];
    return name in parameters ? this.resolve(parameters[name], parent) : this.#resolveAttribute(stack, name, 'Ref');
  }

  #resolveAttribute(stack: string, id: string, attribute: string): string {
    const resource = this.#stacks.get(stack)?.resources[id];
    const [, output] = /^Outputs\.(.+)$/.exec(attribute) ?? [];
    if (resource?.Type === nestedStackType && output) {
      const nested = `${stack}-${id}`;
      return String(this.resolve(this.#stacks.get(nested)?.outputs[output]?.Value, nested));
    }
    const resolve = (expression: unknown) => this.resolve(expression, stack);
    const value = resource && this.#resolvers[resource.Type]?.({ ...resource, id, stack }, resolve)[attribute];
    if (value === undefined) throw new Error(`The local host does not support ${id}.${attribute} (${resource?.Type})`);
    return value;
  }
}

/**
 * Throws if `settings`, a part of a template, has a property that is not in `known`: the properties that the local host applies, and
 * those that make no difference on this machine.
 */
export function expectOnly(known: string[], settings: object): void {
  const unknown = Object.keys(settings).find((name) => !known.includes(name));
  if (unknown) throw new Error(`The local host does not support ${unknown}`);
}
