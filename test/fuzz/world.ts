import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { type Operation, operations } from './document.ts';
import { requestsWith } from './request.ts';
import type { Answer, Sender, Sent } from './wire.ts';

/** Whose requests they are: a user's token, an API key of every scope, another user, a token that has expired. */
export type Identity = Record<'person' | 'worker' | 'other' | 'expired', string>;

/** Operations that make something, whose place they tell. Those that need nothing else come first. */
const creators = operations
  .filter(({ responses }) => responses.get(200)?.headers.includes('location'))
  .sort(
    (one, other) => one.path.split('{').length - other.path.split('{').length || one.path.length - other.path.length,
  );

/** The paths that name one thing: what kind it is, says their parameter. */
const places = operations.flatMap(({ path }) => {
  const [, before, kind] = /^([^{]*)\{(\w+)\}$/.exec(path) ?? [];
  return before && kind ? [{ kind, pattern: new RegExp(`${before}([^/?]+)(?:\\?|$)`) }] : [];
});

/** Cursors and entity tags belong to a path, cursors also to a user. */
function shelfOf(kind: string, { target, credentials }: Pick<Sent, 'target' | 'credentials'>): string {
  const [path] = target.split('?');
  if (kind === 'etag') return `etag ${path}`;
  return kind === 'cursor' ? `cursor ${path} ${credentials.includes('other')}` : kind;
}

function* cursorsIn({ body, headers }: Answer): Generator<string> {
  const [, linked] = /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '') ?? [];
  if (linked) yield linked;
  for (const [, cursor] of body.matchAll(/"next_cursor":"([^"]+)"/g)) yield cursor ?? '';
}

/** The same request by the user of the world, and nothing else about it. */
const plain = (request: Sent): Sent => ({
  ...request,
  headers: [['authorization', 'Bearer ~person.0~'], ...request.headers.filter(([name]) => name === 'content-type')],
  credentials: 'Bearer ~person.0~',
});

/** Requests that make something. */
const made = new Map(creators.map((operation) => [operation.id, requestsWith(operation, []).map(plain)]));

/** How a world is asked, and how it is furnished: by the same way, unless another is faster. */
export interface Ways {
  send: Sender;
  furnish?: Sender;
}

/** What one user has made: the ids, cursors and tags that stand behind the placeholders of requests. */
export class World {
  readonly #values: Map<string, string[]>;
  readonly #ways: Ways;
  /** What makes each kind. */
  readonly #makers = new Map<string, Operation>();
  #seed: number;

  private constructor(ways: Ways, identity: Identity, seed: number) {
    this.#ways = ways;
    this.#seed = seed;
    this.#values = new Map(Object.entries(identity).map(([kind, value]) => [kind, [value]]));
  }

  /** A user with two of everything. */
  static async of(ways: Ways, identity: Identity, seed: number): Promise<World> {
    const world = new World(ways, identity, seed);
    for (const operation of [...creators, ...creators]) await world.#make(operation);
    return world;
  }

  /** A request with everything in its place. A cursor that is not known is left out. */
  resolved(request: Sent): Sent {
    const [path = ''] = this.#filled(request.target).split('?');
    const target = request.target.replace(/[?&]cursor=~cursor\.\d~/g, (found) => {
      const [start = ''] = found;
      const cursor = this.#value('cursor', Number(found.at(-2)), { ...request, target: path });
      return cursor ? `${start}cursor=${cursor}` : start;
    });
    const headers = request.headers.map(([name, value]): [string, string] => [name, this.#filled(value, path)]);
    const body = Buffer.from(this.#filled(request.body.toString('latin1')), 'latin1');
    return { ...request, target: this.#filled(target), headers, body };
  }

  /** Sends a request, and remembers what its answer tells. What is gone, is made again. */
  async send(request: Sent): Promise<Answer> {
    const answer = await this.#ways.send(request);
    this.#learn(request, answer);
    if (request.method === 'DELETE' && answer.status === 200) await this.#replace(request.target);
    return answer;
  }

  #learn(request: Sent, answer: Answer): void {
    for (const cursor of cursorsIn(answer)) this.#add(shelfOf('cursor', request), cursor);
    const tag = answer.headers.get('etag');
    if (tag) this.#add(shelfOf('etag', request), tag);
    this.#placed(answer.headers.get('location'), (kind, id) => this.#add(kind, id));
  }

  async #replace(target: string): Promise<void> {
    const [path = ''] = target.split('?');
    const without = (id: string) => (one: string) => one !== id;
    this.#placed(path.replace(/\/$/, ''), (kind, id) => {
      this.#values.set(kind, this.#values.get(kind)?.filter(without(id)) ?? []);
    });
    for (const [kind, operation] of this.#makers) {
      if ((this.#values.get(kind) ?? []).length < 2) await this.#make(operation);
    }
  }

  #placed(place: string | null, then: (kind: string, id: string) => void): void {
    for (const { kind, pattern } of places) {
      const [, id] = pattern.exec(place ?? '') ?? [];
      if (id) then(kind, decodeURIComponent(id));
    }
  }

  /** The newest few of a kind are enough. */
  #add(kind: string, value: string): void {
    const others = (this.#values.get(kind) ?? []).filter((one) => one !== value);
    this.#values.set(kind, [value, ...others].slice(0, 4));
  }

  #value(kind: string, n: number, of: Pick<Sent, 'target' | 'credentials'>): string | undefined {
    const all = this.#values.get(shelfOf(kind, of)) ?? [];
    return all[n % all.length];
  }

  #filled(text: string, path = ''): string {
    return text.replace(
      /~(\w+)\.(\d)~/g,
      (_, kind, n) =>
        this.#value(kind, Number(n), { target: path, credentials: '' }) ?? (kind === 'etag' ? '"none"' : randomUUID()),
    );
  }

  async #make(operation: Operation): Promise<void> {
    const { send, furnish = send } = this.#ways;
    const attempts = fc.sample(made.get(operation.id) ?? fc.constant(null), { numRuns: 10, seed: this.#seed });
    this.#seed += 1;
    for (const request of attempts) {
      if (!request) return;
      const sent = this.resolved(request);
      const answer = await furnish(sent);
      this.#learn(sent, answer);
      if (answer.status === 409) return; // there are as many as may be
      if (answer.status !== 200) continue;
      this.#placed(answer.headers.get('location'), (kind) => {
        if (!this.#makers.has(kind)) this.#makers.set(kind, operation);
      });
      return;
    }
    throw new Error(`${operation.id} makes nothing out of ten requests`);
  }
}
