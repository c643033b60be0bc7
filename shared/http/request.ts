import type { Precondition } from '../domain/etag.ts';
import type { EventData } from '../events.ts';
import type { Body, Params, Query, Route, Tells } from '../route.ts';
import type { Actor } from '../schemas/event.ts';
import type { EventWrite } from '../store/journal.ts';
import type { Write } from '../store/table/writes.ts';
import type { User } from '../user.ts';
import type { Result } from './result.ts';

/** An authenticated, parsed and valid request. The argument of every handler. */
export interface Request<R extends Route> {
  user: User;
  /** The caller, as the journal names them. */
  actor: Actor;
  params: Params<R>;
  query: Query<R>;
  body: Body<R>;
  ifMatch: Precondition;
  /** Position in a listing where the previous page ended, from the cursor. */
  before?: string;
  /**
   * True if the client already has this version. The handler may then leave out the body, and the response is a 304.
   */
  isNotModified(etag: string): boolean;
  /** Writes an audit log line with the user and the given facts. Never pass a secret. */
  audit(event: string, facts: object): void;
  /**
   * Builds the write of an event about a subject, such as an assistant, by its id. Put it into the transaction of the
   * change.
   */
  tell<T extends Tells<R>>(type: T, subjectId: string, data: EventData<T>): EventWrite;
  /**
   * Ends the request with its remembered result, if there is one. Handlers call it first if they would reject a repeat
   * of something that is already done. One round trip, none without an `Idempotency-Key`.
   */
  replay(): Promise<void>;
  /**
   * Counts the request, or the number that it contains, for the quota of its route. Handlers call it last before they spend or create
   * something. One round trip, two with an `Idempotency-Key`; none if no limit applies to the caller. Throws QuotaExceeded.
   */
  count(requests?: number): Promise<void>;
  /** True if the request has an `Idempotency-Key`. */
  hasIdempotencyKey: boolean;
  /**
   * Returns the writes that remember a result under the request's `Idempotency-Key`; none without the header.
   * Put them into the transaction that stores the resource, so that both are written or neither.
   */
  rememberResult(result: Result): Write[];
}
