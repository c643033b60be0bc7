import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { type Operation, operations } from './document.ts';
import { generateRequestsWithFlaws } from './request.ts';
import type { FuzzRequest, Sender, WireResponse } from './wire.ts';

/** Credentials of a user: a token, an API key with every scope, another user's token, and an expired token. */
export type Identity = Record<'person' | 'worker' | 'other' | 'expired', string>;

/** Operations that create a resource and return its `Location`, the ones without dependencies first. */
const creators = operations
  .filter(({ responses }) => responses.get(200)?.headers.includes('location'))
  .sort(
    (one, other) => one.path.split('{').length - other.path.split('{').length || one.path.length - other.path.length,
  );

/** Paths that end in an id. The name of the parameter is the kind of the resource. */
const resourcePaths = operations.flatMap(({ path }) => {
  const [, before, kind] = /^([^{]*)\{(\w+)\}$/.exec(path) ?? [];
  return before && kind ? [{ kind, pattern: new RegExp(`${before}([^/?]+)(?:\\?|$)`) }] : [];
});

/** Values of kinds that are not ids, if nothing was created. Every assistant counts its versions from 1. */
const standIns: Record<string, string> = { etag: '"none"', version: '1' };

/** Returns the key under which a value is pooled. An ETag is pooled per path, a cursor per path and user. */
function toPoolKey(kind: string, { target, credentials }: Pick<FuzzRequest, 'target' | 'credentials'>): string {
  const [path] = target.split('?');
  if (kind === 'etag') return `etag ${path}`;
  return kind === 'cursor' ? `cursor ${path} ${credentials.includes('other')}` : kind;
}

function* listCursors({ body, headers }: WireResponse): Generator<string> {
  const [, linked] = /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '') ?? [];
  if (linked) yield linked;
  for (const [, cursor] of body.matchAll(/"next_cursor":"([^"]+)"/g)) yield cursor ?? '';
}

/** Returns the request as the pool's user sends it, with no headers but its token and content type. */
const toPlainRequest = (request: FuzzRequest): FuzzRequest => ({
  ...request,
  headers: [['authorization', 'Bearer ~person.0~'], ...request.headers.filter(([name]) => name === 'content-type')],
  credentials: 'Bearer ~person.0~',
});

/** Valid requests of each creator, by operation id. */
const creationRequests = new Map(
  creators.map((operation) => [operation.id, generateRequestsWithFlaws(operation, []).map(toPlainRequest)]),
);

/** Connections to the API under test. */
export interface Senders {
  send: Sender;
  /** Faster connection for creating a user's data. Defaults to `send`. */
  sendSetup?: Sender;
}

/** Ids, cursors and ETags of one user, which replace the placeholders in requests. */
export class ResourcePool {
  readonly #values: Map<string, string[]>;
  readonly #senders: Senders;
  /** Operation that creates a resource of each kind. */
  readonly #creatorsByKind: Map<string, Operation>;
  #seed: number;

  private constructor(
    senders: Senders,
    seed: number,
    values: Map<string, string[]>,
    creatorsByKind = new Map<string, Operation>(),
  ) {
    this.#senders = senders;
    this.#seed = seed;
    this.#values = values;
    this.#creatorsByKind = creatorsByKind;
  }

  /** Creates two resources of every kind. */
  static async create(senders: Senders, identity: Identity, seed: number): Promise<ResourcePool> {
    const values = Object.entries(identity).map(([kind, value]): [string, string[]] => [kind, [value]]);
    const pool = new ResourcePool(senders, seed, new Map(values));
    for (const operation of [...creators, ...creators]) await pool.#create(operation);
    return pool;
  }

  /** Returns the same pool over other connections. */
  connect(senders: Senders): ResourcePool {
    return new ResourcePool(senders, this.#seed, this.#values, this.#creatorsByKind);
  }

  /** Replaces the placeholders of a request. Removes an unknown cursor. */
  resolve(request: FuzzRequest): FuzzRequest {
    const [path = ''] = this.#fill(request.target).split('?');
    const target = request.target.replace(/[?&]cursor=~cursor\.\d~/g, (found) => {
      const [start = ''] = found;
      const cursor = this.#get('cursor', Number(found.at(-2)), { ...request, target: path });
      return cursor ? `${start}cursor=${cursor}` : start;
    });
    const headers = request.headers.map(([name, value]): [string, string] => [name, this.#fill(value, path)]);
    const body = Buffer.from(this.#fill(request.body.toString('latin1')), 'latin1');
    return { ...request, target: this.#fill(target), headers, body };
  }

  /** Sends a request and pools the ids, cursors and ETags of its response. Replaces deleted resources. */
  async send(request: FuzzRequest): Promise<WireResponse> {
    const answer = await this.#senders.send(request);
    this.#remember(request, answer);
    if (request.method === 'DELETE' && answer.status === 200) await this.#replace(request.target);
    return answer;
  }

  #remember(request: FuzzRequest, answer: WireResponse): void {
    for (const cursor of listCursors(answer)) this.#add(toPoolKey('cursor', request), cursor);
    const tag = answer.headers.get('etag');
    if (tag) this.#add(toPoolKey('etag', request), tag);
    this.#forEachId(answer.headers.get('location'), (kind, id) => this.#add(kind, id));
  }

  async #replace(target: string): Promise<void> {
    const [path = ''] = target.split('?');
    const without = (id: string) => (one: string) => one !== id;
    this.#forEachId(path.replace(/\/$/, ''), (kind, id) => {
      this.#values.set(kind, this.#values.get(kind)?.filter(without(id)) ?? []);
    });
    for (const [kind, operation] of this.#creatorsByKind) {
      if ((this.#values.get(kind) ?? []).length < 2) await this.#create(operation);
    }
  }

  #forEachId(url: string | null, use: (kind: string, id: string) => void): void {
    for (const { kind, pattern } of resourcePaths) {
      const [, id] = pattern.exec(url ?? '') ?? [];
      if (id) use(kind, decodeURIComponent(id));
    }
  }

  /** Keeps the newest four values of a kind. */
  #add(kind: string, value: string): void {
    const others = (this.#values.get(kind) ?? []).filter((one) => one !== value);
    this.#values.set(kind, [value, ...others].slice(0, 4));
  }

  #get(kind: string, n: number, request: Pick<FuzzRequest, 'target' | 'credentials'>): string | undefined {
    const all = this.#values.get(toPoolKey(kind, request)) ?? [];
    return all[n % all.length];
  }

  #fill(text: string, path = ''): string {
    return text.replace(
      /~(\w+)\.(\d)~/g,
      (_, kind, n) => this.#get(kind, Number(n), { target: path, credentials: '' }) ?? standIns[kind] ?? randomUUID(),
    );
  }

  async #create(operation: Operation): Promise<void> {
    const { send, sendSetup = send } = this.#senders;
    const attempts = fc.sample(creationRequests.get(operation.id) ?? fc.constant(null), {
      numRuns: 10,
      seed: this.#seed,
    });
    this.#seed += 1;
    for (const request of attempts) {
      if (!request) return;
      const sent = this.resolve(request);
      const answer = await sendSetup(sent);
      this.#remember(sent, answer);
      if (answer.status === 409) return; // the limit is reached
      if (answer.status !== 200) continue;
      this.#forEachId(answer.headers.get('location'), (kind) => {
        if (!this.#creatorsByKind.has(kind)) this.#creatorsByKind.set(kind, operation);
      });
      return;
    }
    throw new Error(`${operation.id} created nothing in ten requests`);
  }
}
