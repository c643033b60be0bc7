import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Key } from '../../../../shared/store/table/keys.ts';

/** Item in DynamoDB's own JSON, which keeps the type of each value, so that a file loses nothing. */
export type Row = Record<string, AttributeValue>;

export const toKey = ({ pk, sk }: Row): Key => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' });

export const toAttributes = ({ pk, sk }: Key): Row => ({ pk: { S: pk }, sk: { S: sk } });

/**
 * Converts a value for JSON: bytes to base64, names and members of sets sorted, so that equal rows have equal lines.
 */
function toSortedJson(value: unknown, type = ''): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) {
    const members = value.map((member) => toSortedJson(member));
    return ['SS', 'NS', 'BS'].includes(type) ? members.sort() : members;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, toSortedJson(inner, name)]));
}

/** Line separators for Node's readline, which JSON leaves unescaped. */
const lineSeparators = /[\u2028\u2029]/g;

/** Serializes a row as a line of DynamoDB JSON, the format of AWS's own table exports. Equal rows give equal lines. */
export const serializeRow = (row: Row): string =>
  JSON.stringify({ Item: toSortedJson(row) }).replace(lineSeparators, (one) => `\\u${one.charCodeAt(0).toString(16)}`);

/** Parses a line. `B` and `BS` are binary types unless their value is an object: then they are attribute names. */
export const parseRow = (line: string): Row =>
  JSON.parse(line, (name, value) => {
    if (name === 'B' && typeof value === 'string') return Buffer.from(value, 'base64');
    if (name === 'BS' && Array.isArray(value)) return value.map((bytes) => Buffer.from(bytes, 'base64'));
    return value;
  }).Item;
