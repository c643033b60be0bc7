import fc, { type Arbitrary, type AsyncCommand } from 'fast-check';
import type { Client } from '../client.ts';

type Fields = Record<string, unknown>;

export interface Assistant {
  id: string;
  name: string;
  description: string | null;
  voice: Fields;
  /** The ids of its knowledge bases. */
  attached: Set<string>;
  /** Its entity tag when it was last looked at, until it is changed. */
  tag?: string | undefined;
  /** Those that were current once. */
  old: string[];
}

export interface Session {
  id: string;
  room: string;
  assistant: string;
  messages: number;
}

/** What the service should know of a user, as far as the commands go. */
export class Model {
  readonly assistants = new Map<string, Assistant>();
  /** The names of documents by their ids. */
  readonly documents = new Map<string, string>();
  /** Masked keys by name, by service. */
  readonly credentials = new Map<string, Map<string, string>>();
  readonly sessions = new Map<string, Session>();
  /** Ids that are gone. */
  readonly gone = new Set<string>();
  /** Rooms that have been used: each is another's. */
  rooms = 0;
}

/** The n-th of a collection, however few there are. */
export function nth<T>(all: Map<string, T> | Set<T>, n: number): T {
  const found = [...all.values()][n % all.size];
  if (found === undefined) throw new Error('There is none');
  return found;
}

/** What listings show last was made first: ids sort by their time. */
export const newestFirst = (ids: Iterable<string>): string[] => [...ids].sort().reverse();

/** Throws where the service says something else than the model. */
export function same(what: string, found: unknown, expected: unknown): void {
  const [one, other] = [found, expected].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${what} is ${one}, and should be ${other}`);
}

/** A command: what it draws, where it can be given, and what it does to the service and to the model. */
export const command = <T>(
  name: string,
  drawn: Arbitrary<T>,
  can: (model: Model) => boolean,
  run: (model: Model, client: Client, value: T) => Promise<void>,
): Arbitrary<AsyncCommand<Model, Client, false>> =>
  drawn.map((value) => ({
    check: can,
    run: (model, client) => run(model, client, value),
    toString: () => `${name} ${fc.stringify(value)}`,
  }));

export const always = () => true;
