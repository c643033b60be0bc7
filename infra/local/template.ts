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

/** What a reference to a resource gives here. Attributes by name; `Ref` is one of them. */
export type Physical = (resource: Resource) => Record<string, string>;

interface Template {
  Resources: Record<string, Omit<Resource, 'id' | 'stack'>>;
  Outputs?: Record<string, { Value: unknown; Export?: { Name: string } }>;
}

const pseudo: Record<string, string> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'us-east-1',
  'AWS::AccountId': '000000000000',
  'AWS::URLSuffix': 'amazonaws.com',
};

/** The synthesized templates of all stacks, and the values that their expressions have on this machine. */
export class Assembly {
  readonly dir: string;
  readonly #templates: Map<string, Template>;
  readonly #physical: Record<string, Physical>;

  /** `physical` says, per resource type, what this machine has in its place. */
  constructor(dir: string, physical: Record<string, Physical>) {
    this.dir = dir;
    this.#physical = physical;
    const { artifacts } = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as {
      artifacts: Record<string, { type: string; properties: { templateFile: string } }>;
    };
    const stacks = Object.entries(artifacts).filter(([, { type }]) => type === 'aws:cloudformation:stack');
    this.#templates = new Map(
      stacks.map(([name, { properties }]) => [
        name,
        JSON.parse(readFileSync(join(dir, properties.templateFile), 'utf8')),
      ]),
    );
  }

  /** All resources of a type, over all stacks. */
  resources(type: string): Resource[] {
    return [...this.#templates].flatMap(([stack, { Resources }]) =>
      Object.entries(Resources)
        .filter(([, { Type }]) => Type === type)
        .map(([id, resource]) => ({ ...resource, id, stack })),
    );
  }

  /** The value of a template's expression, its references resolved. Throws where it uses what is not known here. */
  value(expression: unknown, stack: string): unknown {
    if (typeof expression !== 'object' || expression === null) return expression;
    if (Array.isArray(expression)) return expression.map((item) => this.value(item, stack));
    const [[name, argument] = ['', undefined], ...others] = Object.entries(expression);
    if (others.length === 0) {
      if (name === 'Ref') return pseudo[argument as string] ?? this.#reference(stack, argument as string, 'Ref');
      if (name === 'Fn::GetAtt') return this.#reference(stack, ...(argument as [string, string]));
      if (name === 'Fn::Join') {
        const [separator, parts] = argument as [string, unknown[]];
        return parts.map((part) => this.value(part, stack)).join(separator);
      }
      if (name === 'Fn::ImportValue') return this.#imported(argument as string);
      if (name.startsWith('Fn::')) throw new Error(`The local host does not know ${name}`);
    }
    return Object.fromEntries(Object.entries(expression).map(([key, inner]) => [key, this.value(inner, stack)]));
  }

  #reference(stack: string, id: string, attribute: string): string {
    const resource = this.#templates.get(stack)?.Resources[id];
    const value = resource && this.#physical[resource.Type]?.({ ...resource, id, stack })[attribute];
    if (value === undefined)
      throw new Error(`The local host has nothing in place of ${id}.${attribute} (${resource?.Type})`);
    return value;
  }

  #imported(name: string): unknown {
    for (const [stack, { Outputs = {} }] of this.#templates) {
      for (const { Value, Export } of Object.values(Outputs))
        if (Export?.Name === name) return this.value(Value, stack);
    }
    throw new Error(`No stack exports ${name}`);
  }
}
