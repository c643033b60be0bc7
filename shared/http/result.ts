/**
 * Result of a handler: the body, and the values that become headers. Stored under an `Idempotency-Key`, so never rename
 * its fields.
 */
export interface Result<Body = unknown> {
  body: Body;
  /** Entity tag of the body, in quotes. */
  etag?: string;
  /** Path of the created resource, without a stage or base path. Becomes `Location`. */
  created?: string;
  /** Cursor of the next page. Becomes `Link`. */
  next?: string;
  /** Names that templates of the saved assistant read, and nothing declares. Become `x-template-unknown`. */
  undeclared?: string[];
}

/** Result of a handler if the client already has this version. Becomes a 304. */
export interface NotModified {
  body: null;
  etag: string;
}

/** Result of a handler whose protocol decides about the status. Without a body, nothing is sent. */
export interface Answered {
  status: number;
  body: unknown;
}

/** Result of a handler that streams. Becomes a 200 with server-sent events. */
export interface Streamed {
  /** Pieces of the body, as they come. It ends early, by `return()`, if nobody reads it any more. */
  stream: AsyncIterable<string>;
  /** `type` of the error that ended the stream, known when it has ended. */
  getError?: () => string | undefined;
}
