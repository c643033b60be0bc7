import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A resource of a template, with the stack that it is in. */
export interface Resource {
  id: string;
  stack: string;
  Type: string;
  Properties: Record<string, unknown>;
  Metadata?: Record<string, string>;
}

/**
 * What a reference to a resource gives here. Attributes by name; `Ref` is one of them. `value` is that of an expression of the
 * resource's template.
 */
export type Physical = (resource: Resource, value: (expression: unknown) => unknown) => Record<string, string>;

interface Stack {
  resources: Record<string, Omit<Resource, 'id' | 'stack'>>;
  outputs: Record<string, { Value: unknown }>;
  /** Of a nested stack: what its parent gives it, as expressions of the parent. */
  parameters: Record<string, unknown>;
  parent: string;
}

const nestedStack = 'AWS::CloudFormation::Stack';

const pseudo: Record<string, string> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'us-east-1',
  'AWS::AccountId': '000000000000',
  'AWS::URLSuffix': 'amazonaws.com',
};

/** The ARN of a resource on this machine. */
export const arnOf = (service: string, name: string): string =>
  `arn:${pseudo['AWS::Partition']}:${service}:${pseudo['AWS::Region']}:${pseudo['AWS::AccountId']}:${name}`;

/** The synthesized templates of all stacks, nested ones too, and the values that their expressions have on this machine. */
export class Assembly {
  readonly dir: string;
  readonly #stacks = new Map<string, Stack>();
  readonly #physical: Record<string, Physical>;

  /** `physical` says, per resource type, what this machine has in its place. */
  constructor(dir: string, physical: Record<string, Physical>) {
    this.dir = dir;
    this.#physical = physical;
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
      if (Type !== nestedStack) continue;
      this.#load(
        `${name}-${id}`,
        Metadata?.['aws:asset:path'] ?? '',
        Properties.Parameters as Stack['parameters'],
        name,
      );
    }
  }

  /** All resources of a type, over all stacks. */
  resources(type: string): Resource[] {
    return [...this.#stacks].flatMap(([stack, { resources }]) =>
      Object.entries(resources)
        .filter(([, { Type }]) => Type === type)
        .map(([id, resource]) => ({ ...resource, id, stack })),
    );
  }

  /** What the topmost stack says of itself under a name. */
  output(name: string): string {
    for (const [stack, { outputs, parent }] of this.#stacks)
      if (parent === '' && outputs[name]) return String(this.value(outputs[name].Value, stack));
    throw new Error(`The templates have no output ${name}`);
  }

  /** The service's own functions. The others have no name, and only CloudFormation calls them: to empty a bucket, as an example. */
  functions(): Resource[] {
    return this.resources('AWS::Lambda::Function').filter(({ Properties }) => 'FunctionName' in Properties);
  }

  /** The value of a template's expression, its references resolved. Throws where it uses what is not known here. */
  value(expression: unknown, stack: string): unknown {
    if (typeof expression !== 'object' || expression === null) return expression;
    if (Array.isArray(expression)) return expression.map((item) => this.value(item, stack));
    const [[name, argument] = ['', undefined], ...others] = Object.entries(expression);
    if (others.length === 0) {
      if (name === 'Ref') return this.#named(stack, argument as string);
      if (name === 'Fn::GetAtt') return this.#reference(stack, ...(argument as [string, string]));
      if (name === 'Fn::Join') {
        const [separator, parts] = argument as [string, unknown[]];
        return parts.map((part) => this.value(part, stack)).join(separator);
      }
      if (name === 'Fn::Split') {
        const [separator, text] = argument as [string, unknown];
        return String(this.value(text, stack)).split(separator);
      }
      if (name === 'Fn::Select') {
        const [index, list] = argument as [number, unknown];
        return (this.value(list, stack) as unknown[])[index];
      }
      if (name.startsWith('Fn::')) throw new Error(`The local host does not know ${name}`);
    }
    return Object.fromEntries(Object.entries(expression).map(([key, inner]) => [key, this.value(inner, stack)]));
  }

  #named(stack: string, name: string): unknown {
    const { parameters = {}, parent = '' } = this.#stacks.get(stack) ?? {};
    if (name in pseudo) return pseudo[name];
    return name in parameters ? this.value(parameters[name], parent) : this.#reference(stack, name, 'Ref');
  }

  #reference(stack: string, id: string, attribute: string): string {
    const resource = this.#stacks.get(stack)?.resources[id];
    const [, output] = /^Outputs\.(.+)$/.exec(attribute) ?? [];
    if (resource?.Type === nestedStack && output) {
      const nested = `${stack}-${id}`;
      return String(this.value(this.#stacks.get(nested)?.outputs[output]?.Value, nested));
    }
    const resolve = (expression: unknown) => this.value(expression, stack);
    const value = resource && this.#physical[resource.Type]?.({ ...resource, id, stack }, resolve)[attribute];
    if (value === undefined)
      throw new Error(`The local host has nothing in place of ${id}.${attribute} (${resource?.Type})`);
    return value;
  }
}

/**
 * Throws where `settings`, a part of a template, has others than `known`: those that the local host heeds, or that make no
 * difference here.
 */
export function expectOnly(known: string[], settings: object): void {
  const unknown = Object.keys(settings).find((name) => !known.includes(name));
  if (unknown) throw new Error(`The local host does not know ${unknown}`);
}
