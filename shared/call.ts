import type { Answer } from './answer.ts';
import type { Precondition } from './domain/etag.ts';
import type { Body, Params, Query, Route } from './route.ts';
import type { Write } from './store/table-writes.ts';
import type { User } from './user.ts';

/** What a handler is given: the request, authenticated, parsed and valid. */
export interface Call<R extends Route> {
  user: User;
  params: Params<R>;
  query: Query<R>;
  body: Body<R>;
  ifMatch: Precondition;
  /** Where the last page of a listing ended. */
  before?: string;
  /** Whether the client has this version already: then the answer may come without a body, and is 304. */
  isKnown(etag: string): boolean;
  /** Writes a line of audit: what was done, by whom, and its facts. Never a secret. */
  audit(event: string, facts: object): void;
  /**
   * Ends with the answer that this request had under its `Idempotency-Key`, where it had one: for rules that refuse what is
   * done already. One round trip, none without the header.
   */
  replay(): Promise<void>;
  /** Whether the request has an `Idempotency-Key`. */
  isKeyed: boolean;
  /**
   * The writes that remember an answer under the request's `Idempotency-Key`; none without the header.
   * They go into the transaction that stores the resource, so that neither is ever written without the other.
   */
  once(answer: Answer): Write[];
}
