import fc, { type Arbitrary, type AsyncCommand } from 'fast-check';
import type { Client } from '../client.ts';

type Fields = Record<string, unknown>;

export interface Assistant {
  id: string;
  name: string;
  description: string | null;
  voice: Fields;
  /** Ids of its knowledge bases. */
  attached: Set<string>;
  /** ETag of the last read. Undefined after a change. */
  tag?: string | undefined;
  /** Content of each version, by its number. */
  versions: Map<number, string>;
  /** Number of the last version, also if it was deleted. */
  lastVersion: number;
  /** Live versions with their weights. None while calls get the draft. */
  live: { version: number; weight: number }[];
  /** ETag from before the last edit. If-Match refuses it. */
  staleTag?: string | undefined;
}

export interface Session {
  id: string;
  room: string;
  assistant: string;
  messages: number;
}

/** Amounts that the latest version of a call adds to the usage. */
export interface CountedCall {
  assistant: string;
  messages: number;
  seconds: number;
  tokens: number;
  end: string;
}

/** Expected data of one user. */
export class Model {
  readonly assistants = new Map<string, Assistant>();
  /** Names of documents by id. */
  readonly documents = new Map<string, string>();
  /** Masked keys by service and name. */
  readonly credentials = new Map<string, Map<string, string>>();
  readonly sessions = new Map<string, Session>();
  /** Calls by session id. They stay counted when their session is deleted. */
  readonly counted = new Map<string, CountedCall>();
  /** Ids of deleted assistants. */
  readonly deleted = new Set<string>();
  /** Number of rooms. Each call has its own. */
  rooms = 0;
}

/** Returns the n-th element, modulo the size. */
export function pickNth<T>(all: Map<string, T> | Set<T>, n: number): T {
  const found = [...all.values()][n % all.size];
  if (found === undefined) throw new Error('The collection is empty');
  return found;
}

/** Sorts ids by creation time, newest first. UUIDv7 ids sort by time. */
export const sortNewestFirst = (ids: Iterable<string>): string[] => [...ids].sort().reverse();

/** Throws if the service and the model differ. */
export function expectSame(what: string, found: unknown, expected: unknown): void {
  const [one, other] = [found, expected].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${what}: got ${one}, expected ${other}`);
}

/** Defines a command: its random values, when it is possible, and its effect on the service and the model. */
export const defineCommand = <T>(
  name: string,
  values: Arbitrary<T>,
  isPossible: (model: Model) => boolean,
  run: (model: Model, client: Client, value: T) => Promise<void>,
): Arbitrary<AsyncCommand<Model, Client, false>> =>
  values.map((value) => ({
    check: isPossible,
    run: (model, client) => run(model, client, value),
    toString: () => `${name} ${fc.stringify(value)}`,
  }));

export const isAlwaysPossible = () => true;
