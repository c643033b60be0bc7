import * as v from 'valibot';
import { buildQuotaExceeded, toDay } from '../domain/quota.ts';
import * as errors from '../errors.ts';
import type { Route } from '../route.ts';
import { toHeaderRefs, toRef } from './references.ts';

/** Body of every error response. */
export const ErrorBody = v.object({
  detail: v.array(
    v.object({
      loc: v.pipe(
        v.array(v.string()),
        v.description('Location: first `body`, `path`, `query`, `header` or `service`, then the path inside it.'),
      ),
      msg: v.pipe(v.string(), v.description('For people. Never repeats what was sent.')),
      type: v.pipe(v.string(), v.description('Stable name, for programs.')),
    }),
  ),
  error: v.pipe(
    v.optional(
      v.object({
        message: v.string(),
        type: v.string(),
        code: v.nullable(v.string()),
        param: v.nullable(v.string()),
      }),
    ),
    v.description("The same for OpenAI's clients, of `/chat/completions` only."),
  ),
});

interface Sample {
  status: number;
  detail: errors.Fault[];
  headers: Record<string, string>;
}

const toSample = ({ failure, detail, headers }: errors.ApiError): Sample => ({
  status: errors.failures[failure].status,
  detail,
  headers,
});

/** Converts an error of the gateway, which responds itself if no function runs or finishes. */
const toGatewaySample = ({ status, retry, loc, msg, type }: errors.GatewayFault): Sample => ({
  status,
  detail: [{ loc, msg, type }],
  headers: retry ? { 'retry-after': '1' } : {},
});

const sampleDay = toDay(Date.parse('2026-11-21T23:00:00Z'));

/** Examples of all errors, one for each `type`. */
const samples: Sample[] = [
  ...Object.values(errors.gatewayFaults).map(toGatewaySample), // replaced by a sample of the same type below
  toSample(new errors.NotAuthenticated()),
  toSample(new errors.InvalidToken('The token was issued for another audience')),
  toSample(new errors.InsufficientScope('The API key lacks the scope "write": create one that has it', 'write')),
  toSample(
    new errors.NotAMember(
      'You are not a member of this workspace: choose one by the header X-Workspace: acme, personal',
    ),
  ),
  toSample(new errors.LoopDetected()),
  toSample(new errors.NotFound(['path', 'assistant_id'], 'You have no assistant with this id')),
  toSample(new errors.Conflict(['service'], 'Another request is writing the same thing: try again', 1)),
  toSample(new errors.PreconditionFailed()),
  toSample(new errors.TooLarge(['body'], 'The body may have at most 300 KB')),
  toSample(new errors.UnsupportedMediaType('Send the body as application/json')),
  toSample(
    new errors.Invalid([
      { loc: ['body', 'name'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'voice', 'language'], msg: 'Not a language code', type: 'language_code' },
    ]),
  ),
  toSample(new errors.VendorRefused('openai answered 401: Incorrect API key provided')),
  toSample(new errors.VendorBusy('openai answered 429: Rate limit reached', '20')),
  toSample(
    buildQuotaExceeded(
      [{ quota: 'completions', setBy: 'tier', limit: 100, counter: 'completions' }],
      { completions: 100 },
      1,
      sampleDay,
      sampleDay.endsAt - 3_600_000,
    ),
  ),
  toSample(new errors.VendorUnavailable('openai gave no answer (timeout): try again')),
  toSample(new errors.Internal()),
  toSample(new errors.Unavailable()),
];

/** Returns the statuses of a route's errors. */
export function listErrorStatuses(route: Route): number[] {
  const { body, errors: own } = route;
  return [
    ...[401, 403, 409, 422, 429, 500, 502, 503, 504], // 409 for a caller with several workspaces who chooses none
    ...(body ? [400, 413, 415] : []),
    ...own.map((failure) => errors.failures[failure].status),
  ];
}

/** Builds the response object of an error status, with an example of each of its types. */
export function buildErrorResponse(status: number, description: string) {
  const own = samples.filter((sample) => sample.status === status);
  const headers = own
    .flatMap((sample) => Object.keys(sample.headers))
    .map((name) => name.replace('www-authenticate', 'x-amzn-remapped-www-authenticate')); // API Gateway renames it
  const examples = own.map(({ detail }) => [detail[0]?.type, { value: { detail } }]);
  const content = { schema: toRef('schemas', 'Error'), examples: Object.fromEntries(examples) };
  return {
    description,
    headers: toHeaderRefs(['x-request-id', ...headers]),
    content: { 'application/json': content },
  };
}
