import { type GenericSchema, type InferOutput, is } from 'valibot';
import type { Typo } from './domain/typos.ts';
import type { Failure } from './errors.ts';
import type { EventType } from './events.ts';
import type { Quota } from './quotas.ts';
import type { Scope } from './scopes.ts';
import type { RowKind } from './store/table/keys.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** DynamoDB actions that a function may be allowed. */
export type TableAction = 'BatchGetItem' | 'GetItem' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'Query';

/** KMS actions that a function may be allowed, with the key that encrypts secrets. */
export type SecretAction = 'Encrypt' | 'Decrypt';

/** Names in the KMS encryption context of each kind of secret (shared/store/secrets.ts). */
export const secretContexts = {
  credentials: ['user', 'service', 'name'],
  webhooks: ['user', 'webhook'],
} as const;
export type SecretKind = keyof typeof secretContexts;

/** Secondary indexes of the table. */
export type IndexName = 'by-assistant' | 'by-room' | 'by-due';

/** S3 actions that a function may be allowed, per folder. */
export type BucketAction = 'PutObject' | 'GetObject' | 'DeleteObject';

/**
 * Folders of the bucket: call transcripts, uploaded documents, their search indexes, markers of pending deletions, and requests and
 * answers of jobs.
 */
export type Folder = 'transcripts' | 'uploads' | 'passages' | 'erasures' | 'jobs';

/** Memory of a function in MB, unless its route sets another. */
export const defaultMemoryMb = 512;

/** Memory size in MB for which Lambda provides a full core. */
export const fullCoreMb = 1_769;

/** One endpoint, as data. The gateway, IAM permissions, types, validation and OpenAPI document derive from it. */
export interface Route {
  /** `resource/verb`. Also names the file, sample event, function, operation and log field. */
  readonly id: `${string}/${string}`;
  readonly method: Method;
  /** Path without a trailing slash. The gateway also accepts it with one. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  /** Scope that an API key needs. `any` accepts every key, `none` rejects keys. User tokens need no scope. */
  readonly scope: Scope | 'any' | 'none';
  /** Accepts API keys only. */
  readonly workersOnly?: true;
  readonly params?: GenericSchema<unknown, object>;
  readonly query?: GenericSchema<unknown, object>;
  readonly body?: GenericSchema<unknown, object>;
  readonly returns: GenericSchema<unknown, unknown>;
  /** Responses have an `ETag`. */
  readonly etag?: true;
  /** Conditional header that the route supports. */
  readonly conditional?: 'if-match' | 'if-none-match';
  /** Responses hold secrets and must not be cached. */
  readonly secret?: true;
  /** Responses have the `Location` of the created resource. */
  readonly creates?: true;
  /** Accepts a cursor, which responses return as `next_cursor`. */
  readonly cursor?: true;
  /** Accepts a cursor, which responses return in a `Link` to the next page. */
  readonly paged?: true;
  /** Fields of the body that only the service sets. They are ignored without being reported in `x-ignored-fields`. */
  readonly readOnly?: readonly string[];
  /** Lists parts of a valid body, as sent, that are not used, in addition to unknown keys, for `x-ignored-fields`. */
  readonly listIgnored?: (sent: never) => string[];
  /** Finds names in the body that are stored as sent, but are probably typos. */
  readonly findTypos?: (body: never) => Typo[];
  /** Failures in addition to those of every route (401, 422, 500, 503, and with a body 413 and 415). */
  readonly errors: readonly Failure[];
  /** Types of events that a success may write into the journal. A route that changes data names at least one. */
  readonly tells?: readonly EventType[];
  /** Quota that its requests count for (docs/quotas.md). The handler calls `count`. */
  readonly quota?: Quota;
  readonly needs: {
    /** DynamoDB actions per kind of row. Writing events follows from `tells`, counting from `quota`. Every function may also look up the API key of its caller. */
    readonly rows?: { readonly [K in RowKind]?: readonly TableAction[] };
    /** Needs the tier of the caller, though it counts nothing. */
    readonly tiers?: true;
    /** Indexes that the function queries. */
    readonly indexes?: readonly IndexName[];
    readonly secrets?: { readonly [K in SecretKind]?: readonly SecretAction[] };
    /** Asks language models, so may use those of Amazon Bedrock that the operator allows (infra/settings.ts). */
    readonly models?: true;
    /** Checks addresses that the client names, so needs the operator's exemptions (shared/outbound/url-rules.ts). */
    readonly outboundRules?: true;
    readonly files?: { readonly [F in Folder]?: readonly BucketAction[] };
  };
  /** Accepts text with U+FFFD, the replacement character. For transcripts, losing a character beats losing the call. */
  readonly mayBeLossy?: boolean;
  /** The body is a form (`multipart/form-data`) instead of JSON. */
  readonly form?: true;
  /** A POST that takes no `Idempotency-Key`: it creates nothing itself. What it asks of others, such as a tool, may happen again. */
  readonly repeatable?: true;
  /** Memory of the function. Defaults to 512 MB. */
  readonly memoryMb?: number;
  /** Its errors also have the `error` of OpenAI's API, so that OpenAI's clients can read them. */
  readonly hasOpenAiErrors?: true;
  /** Streams its responses, for at most this many seconds. Other routes respond once. */
  readonly streamSeconds?: number;
  /** Time to respond once, in seconds, at most 28. Defaults to 14. */
  readonly timeoutSeconds?: number;
  /** Answers messages that expect no answer with 202 and no body. */
  readonly hasNotifications?: true;
  /**
   * Running calls depend on this route. With canary releases (infra/config.ts), new code first gets a tenth of its
   * requests.
   */
  readonly canary?: true;
  /** Maximum size of the body in bytes. Defaults to 300 KB. */
  readonly maxBodyBytes?: number;
}

/** Needs of a route that reads a version of an assistant with what is attached to it, and decrypts the keys of its vendors. */
export const leaseNeeds = {
  rows: {
    assistants: ['GetItem'],
    versions: ['GetItem'],
    knowledge: ['BatchGetItem'],
    credentials: ['GetItem', 'Query'],
  },
  secrets: { credentials: ['Decrypt'] },
} as const;

/** Needs and events of a route that asks the language model of an assistant. */
export const askNeeds = {
  ...leaseNeeds,
  files: { passages: ['GetObject'] },
  models: true,
  outboundRules: true,
} as const;
export const askTells = ['credential.leased', 'completion.done'] as const;

/** Returns the DynamoDB actions of a route per kind of row, with those for its events and its quota. */
export const getRows = ({
  needs,
  tells,
  quota,
}: Pick<Route, 'needs' | 'tells' | 'quota'>): NonNullable<Route['needs']['rows']> => ({
  ...needs.rows,
  ...(tells && { events: ['PutItem', ...(needs.rows?.events ?? [])] }),
  ...(quota && { quotas: ['UpdateItem'] }),
});

/** True if the route remembers its results under an `Idempotency-Key`. */
export const supportsIdempotencyKey = ({ method, repeatable }: Route): boolean => method === 'POST' && !repeatable;

/** True if a request may have no body, which then means `{}`: for a POST without required fields. */
export const mayLackBody = ({ method, form, body }: Partial<Pick<Route, 'method' | 'form' | 'body'>>): boolean =>
  method === 'POST' && !form && body !== undefined && is(body, {});

/**
 * Evaluates the definition of a route, and types it by its schemas, so that a handler with a wrong field does not
 * compile. Needs a PURE annotation before each call, like `define`.
 */
export const route = <const R extends Route>(definition: () => R): R => definition();

type Parsed<S> = S extends GenericSchema<unknown, infer O> ? O : undefined;

export type Params<R extends Route> = Parsed<R['params']>;
export type Query<R extends Route> = Parsed<R['query']>;
export type Body<R extends Route> = Parsed<R['body']>;
/** Types of events that a route writes. */
export type Tells<R extends Route> = R['tells'] extends readonly EventType[] ? R['tells'][number] : never;
export type Returns<R extends Route> = InferOutput<R['returns']>;
