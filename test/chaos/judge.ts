import * as v from 'valibot';
import { gatewayFaults } from '../../shared/errors.ts';
import type { Reply } from '../support/api.ts';
import type { Disturbance } from './faults.ts';

/** The one shape of errors, of a failure that passes. */
const Failure = v.object({
  detail: v.tuple([v.object({ loc: v.tuple([v.literal('service')]), msg: v.string(), type: v.string() })]),
});

/** Words of what is behind the service, which no answer may tell. */
const inner = /injected|dynamo|amazon|ECONN|\bat .*\.js/i;

export const isSuccess = ({ status }: Reply): boolean => status === 200 || status === 304;

/** The statuses that say what has happened. A conflict that lasts is told as one; what dies is told by the gateway. */
function expected({ fault, forEver }: Disturbance): number[] {
  if (fault === 'die') return [gatewayFaults.badGateway.status];
  if (!forEver) return [];
  return [fault === 'conflict' ? 409 : 503];
}

/** What is wrong with an answer to a disturbed request; undefined where nothing is. What takes too long is a 504 of the gateway. */
export function wrongIn(reply: Reply, disturbance: Disturbance): string | undefined {
  if (isSuccess(reply)) return undefined;
  const told = `${reply.status} ${reply.text}`;
  if (!expected(disturbance).includes(reply.status)) return `it answered ${told}`;
  if (!v.is(Failure, reply.body)) return `it answered in another shape: ${told}`;
  if (reply.headers.get('retry-after') !== '1') return `it did not say Retry-After: ${told}`;
  return inner.test(reply.text) ? `it told of what is behind: ${told}` : undefined;
}
