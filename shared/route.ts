import type { GenericSchema, InferOutput } from 'valibot';
import type { Typo } from './domain/typos.ts';
import type { Failure } from './errors.ts';
import type { Scope } from './scopes.ts';
import type { RowKind } from './store/keys.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The DynamoDB calls that a function makes: its rights, and nothing more. */
export type TableAction = 'BatchGetItem' | 'GetItem' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'Query';

/** The KMS calls that a function makes with the credentials' key. */
export type KeyAction = 'Encrypt' | 'Decrypt';

/** The indexes of the table. */
export type IndexName = 'by-assistant' | 'by-room';

/** The S3 calls that a function makes … */
export type FileAction = 'PutObject' | 'GetObject' | 'DeleteObject';

/** … with the files of a folder: transcripts of calls, documents as they came, and what is searched of them. */
export type Folder = 'transcripts' | 'uploads' | 'passages' | 'erasures';

/** One endpoint, as data. Gateway, rights, types, checks and OpenAPI document derive from it. */
export interface Route {
  /** `resource/verb`: also the name of its file, event, function, operation and log field. */
  readonly id: `${string}/${string}`;
  readonly method: Method;
  /** Without trailing slash; the gateway answers both spellings alike. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  /** What an API key must be allowed, or that any key will do, or that none does. Tokens of people need no scope … */
  readonly scope: Scope | 'any' | 'none';
  /** … but are not taken where only a worker has business. */
  readonly workersOnly?: true;
  readonly params?: GenericSchema<unknown, object>;
  readonly query?: GenericSchema<unknown, object>;
  readonly body?: GenericSchema<unknown, object>;
  readonly returns: GenericSchema<unknown, unknown>;
  /** Answers carry an `ETag`. */
  readonly etag?: true;
  /** The condition that it honours. */
  readonly conditional?: 'if-match' | 'if-none-match';
  /** Answers hold secrets: nothing on the way may keep them. */
  readonly secret?: true;
  /** Answers carry the `Location` of what was made. */
  readonly creates?: true;
  /** Takes the cursor that its answers hold as `next_cursor`. */
  readonly cursor?: true;
  /** Answers carry a `Link` to the next page, where there is one. */
  readonly paged?: true;
  /** Fields of the body that are ignored without a word: only the service sets them. */
  readonly readOnly?: readonly string[];
  /** Finds names in the body that are kept as sent, but are probably typos. */
  readonly findTypos?: (body: never) => Typo[];
  /** Failures over those that every route has (401, 422, 500, 503, and 413 and 415 with a body). */
  readonly errors: readonly Failure[];
  readonly needs: {
    /** Calls that it makes with rows of each kind. Every function may look up the API key that it is called with besides. */
    readonly rows?: { readonly [K in RowKind]?: readonly TableAction[] };
    /** The indexes that it queries. */
    readonly indexes?: readonly IndexName[];
    readonly key?: readonly KeyAction[];
    readonly files?: { readonly [F in Folder]?: readonly FileAction[] };
  };
  /** Takes text with U+FFFD, the mark of lost characters: what was said in a call counts more than its spelling. */
  readonly mayBeLossy?: boolean;
  /** The body is a form (`multipart/form-data`) and not JSON. */
  readonly form?: true;
  /** A POST that changes nothing: it can be sent again without an `Idempotency-Key`. */
  readonly repeatable?: true;
  /** Memory of its function; 512 MB unless set. */
  readonly memoryMb?: number;
  /**
   * Calls depend on it while they last: where releases are canaries (infra/config.ts), new code gets a tenth of its requests
   * first.
   */
  readonly canary?: true;
  /** Bound of a body in bytes; 300 KB unless set. */
  readonly maxBodyBytes?: number;
}

/** Whether a route remembers its answers under an `Idempotency-Key`. */
export const isKeyed = ({ method, repeatable }: Route): boolean => method === 'POST' && !repeatable;

/**
 * Types a route by its own schemas, so that a handler with a wrong field does not compile.
 * Written like `define`, for the same reason.
 */
export const route = <const R extends Route>(definition: () => R): R => definition();

type Parsed<S> = S extends GenericSchema<unknown, infer O> ? O : undefined;

export type Params<R extends Route> = Parsed<R['params']>;
export type Query<R extends Route> = Parsed<R['query']>;
export type Body<R extends Route> = Parsed<R['body']>;
export type Returns<R extends Route> = InferOutput<R['returns']>;
