import * as v from 'valibot';
import { gatewayFaults } from '../../shared/errors.ts';
import type { Reply } from '../support/api.ts';
import type { Disturbance } from './faults.ts';

/** Schema of the error body of a temporary failure. */
const Failure = v.object({
  detail: v.tuple([v.object({ loc: v.tuple([v.literal('service')]), msg: v.string(), type: v.string() })]),
});

/** Matches internal details that no response may contain. */
const internalWords = /injected|dynamo|amazon|ECONN|\bat .*\.js/i;

export const isSuccess = ({ status }: Reply): boolean => status === 200 || status === 304;

/** Lists the error statuses that a disturbance may cause. A permanent conflict is a 409, a dead function a 502 of the gateway. */
function listExpectedStatuses({ fault, isPermanent }: Disturbance): number[] {
  if (fault === 'die') return [gatewayFaults.badGateway.status];
  if (!isPermanent) return [];
  return [fault === 'conflict' ? 409 : 503];
}

/** Returns the problem with the reply to a disturbed request, if any. A 504 of the gateway is a problem too. */
export function findProblem(reply: Reply, disturbance: Disturbance): string | undefined {
  if (isSuccess(reply)) return undefined;
  const answer = `${reply.status} ${reply.text}`;
  if (!listExpectedStatuses(disturbance).includes(reply.status)) return `it answered ${answer}`;
  if (!v.is(Failure, reply.body)) return `it answered with another error shape: ${answer}`;
  if (reply.headers.get('retry-after') !== '1') return `it answered without Retry-After: ${answer}`;
  return internalWords.test(reply.text) ? `it revealed internal details: ${answer}` : undefined;
}
