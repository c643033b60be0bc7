import { isObject, type Tool, type ToolType } from './tool-shape.ts';

export type { Tool, ToolType } from './tool-shape.ts';
export type Parameters = NonNullable<Extract<Tool, { type: 'http' }>['parameters']>;

/** Tools to start from, by type, in the order of the menu. */
export const newTools: Record<ToolType, Tool> = {
  http: {
    type: 'http',
    name: '',
    description: '',
    parameters: { type: 'object', properties: {} },
    http: { method: 'GET', url: 'https://' },
  },
  client: { type: 'client', name: '', description: '', parameters: { type: 'object', properties: {} } },
  search: { type: 'search', name: 'search_knowledge', limit: 5, enabled: true },
  transfer: { type: 'transfer', name: 'transfer_call', destinations: [{ to: '', when: '' }] },
  end_call: { type: 'end_call', name: 'end_call' },
};

/** Types of arguments that rows offer. */
export const parameterTypes = ['string', 'number', 'integer', 'boolean'] as const;

/** An argument of a tool, as a row of the form. */
export interface Parameter {
  name: string;
  type: string;
  description: string;
  required: boolean;
}

/** Lists the arguments of a tool. Undefined if rows cannot show them all, as with nested objects. */
export function listParameters({ properties = {}, required = [] }: Record<string, unknown>): Parameter[] | undefined {
  if (!isObject(properties) || !Array.isArray(required)) return undefined;
  const rows = Object.entries(properties).map(([name, schema]): Parameter | undefined => {
    const { type, description = '', ...others } = isObject(schema) ? schema : {};
    const fits = (parameterTypes as readonly unknown[]).includes(type) && Object.keys(others).length === 0;
    if (!fits || typeof description !== 'string') return undefined;
    return { name, type: String(type), description, required: required.includes(name) };
  });
  return rows.every((row) => row !== undefined) ? rows : undefined;
}

/** Fault of a row's name. */
export type RowNameFault = 'empty' | 'taken' | 'number';

/** Finds what is wrong with the name of a row in an object. Numbers come first in an object, and the row would move. */
export function findRowNameFault(name: string, taken: readonly string[]): RowNameFault | undefined {
  if (name === '') return 'empty';
  if (taken.includes(name)) return 'taken';
  return /^\d+$/.test(name) ? 'number' : undefined;
}

/** Returns the JSON Schema with these arguments. Keeps its other keywords. */
export function setParameters(
  { properties: _, required: __, ...others }: Record<string, unknown>,
  rows: readonly Parameter[],
): Parameters {
  const required = rows.filter((row) => row.required).map(({ name }) => name);
  const properties = rows.map(({ name, type, description }) => [name, { type, ...(description && { description }) }]);
  return {
    ...others,
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  } as Parameters;
}
