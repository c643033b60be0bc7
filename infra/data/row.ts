import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Key } from '../../shared/store/keys.ts';

/** An item as DynamoDB tells of it, each value with its type: nothing is lost on the way through a file. */
export type Row = Record<string, AttributeValue>;

export const keyOf = ({ pk, sk }: Row): Key => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' });

export const attributesOf = ({ pk, sk }: Key): Row => ({ pk: { S: pk }, sk: { S: sk } });

/** JSON's part of a value: bytes in base64; names and the members of sets in order, so that equal rows have equal lines. */
function plain(value: unknown, type = ''): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) {
    const members = value.map((member) => plain(member));
    return ['SS', 'NS', 'BS'].includes(type) ? members.sort() : members;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, plain(inner, name)]));
}

/** What ends a line for Node's readline, and may stand in JSON as it is. */
const separators = /[\u2028\u2029]/g;

/** A row as a line of DynamoDB JSON, in which AWS's own exports of tables are written. Equal rows give equal lines. */
export const lineOf = (row: Row): string =>
  JSON.stringify({ Item: plain(row) }).replace(separators, (one) => `\\u${one.charCodeAt(0).toString(16)}`);

/** The row of a line. What is called B or BS and is no object is of that type: names of attributes have an object. */
export const rowOf = (line: string): Row =>
  JSON.parse(line, (name, value) => {
    if (name === 'B' && typeof value === 'string') return Buffer.from(value, 'base64');
    if (name === 'BS' && Array.isArray(value)) return value.map((bytes) => Buffer.from(bytes, 'base64'));
    return value;
  }).Item;
