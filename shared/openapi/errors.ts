import * as v from 'valibot';
import * as errors from '../errors.ts';
import { isKeyed, type Route } from '../route.ts';
import { headerRefs, ref } from './references.ts';

/** The one shape of every error. */
export const ErrorBody = v.object({
  detail: v.array(
    v.object({
      loc: v.pipe(
        v.array(v.string()),
        v.description('Where: first `body`, `path`, `query`, `header` or `service`, then the way in.'),
      ),
      msg: v.pipe(v.string(), v.description('For people. Never repeats what was sent.')),
      type: v.pipe(v.string(), v.description('A stable name, for programs.')),
    }),
  ),
});

interface Sample {
  status: number;
  detail: errors.Fault[];
  headers: Record<string, string>;
}

const ours = ({ failure, detail, headers }: errors.ApiError): Sample => ({
  status: errors.failures[failure].status,
  detail,
  headers,
});

/** What the gateway answers by itself, where no function runs or none ends. */
const gateways = ({ status, retry, loc, msg, type }: errors.GatewayFault): Sample => ({
  status,
  detail: [{ loc, msg, type }],
  headers: retry ? { 'retry-after': '1' } : {},
});

/** An example of every error, one for each `type`. */
const samples: Sample[] = [
  ...Object.values(errors.gatewayFaults).map(gateways), // what a function says of the same type stands for both
  ours(new errors.NotAuthenticated()),
  ours(new errors.InvalidToken('The token was issued for another audience')),
  ours(new errors.InsufficientScope('The API key lacks the scope "write": make one that has it', 'write')),
  ours(new errors.NotFound(['path', 'assistant_id'], 'You have no assistant with this id')),
  ours(new errors.Conflict(['service'], 'Another request is writing the same thing: try again', 1)),
  ours(new errors.PreconditionFailed()),
  ours(new errors.TooLarge(['body'], 'The body may have at most 300 KB')),
  ours(new errors.UnsupportedMediaType('Send the body as application/json')),
  ours(
    new errors.Invalid([
      { loc: ['body', 'name'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'voice', 'language'], msg: 'Not a language code', type: 'language_code' },
    ]),
  ),
  ours(new errors.Internal()),
  ours(new errors.Unavailable()),
];

/** The statuses of the errors of a route. */
export function errorStatuses(route: Route): number[] {
  const { body, errors: own } = route;
  return [
    ...[401, 403, 422, 429, 500, 502, 503, 504],
    ...(body ? [400, 413, 415] : []),
    ...(isKeyed(route) ? [409] : []), // an `Idempotency-Key` that is in use
    ...own.map((failure) => errors.failures[failure].status),
  ];
}

/** The answer of an error status, with an example of each of its types. */
export function failure(status: number, description: string) {
  const own = samples.filter((sample) => sample.status === status);
  const headers = own
    .flatMap((sample) => Object.keys(sample.headers))
    .map((name) => name.replace('www-authenticate', 'x-amzn-remapped-www-authenticate')); // as API Gateway does
  const examples = own.map(({ detail }) => [detail[0]?.type, { value: { detail } }]);
  const content = { schema: ref('schemas', 'Error'), examples: Object.fromEntries(examples) };
  return {
    description,
    headers: headerRefs(['x-request-id', ...headers]),
    content: { 'application/json': content },
  };
}
