import { type Limit, listLimits, partitionLimits } from './limits.ts';
import { hasFirewall, hasUserPool, type SynthesizedStack } from './templates.ts';
import { countEvents, getMeasuredRequest, getRequestUsage, listRequestVolumes, type Workload } from './workload.ts';

/** A limit, and the part of it that a workload uses in its busiest second. */
export interface Quota extends Pick<Limit, 'name' | 'limit' | 'remedy'> {
  used: number;
}

/** Sorts quotas by their used share, highest first. */
export const sortByShare = (quotas: Quota[]): Quota[] => quotas.toSorted((a, b) => getShare(b) - getShare(a));

/** Returns the used share, rounded so that equal shares keep their order. */
const getShare = ({ used, limit }: Quota) => Number((used / limit).toPrecision(6));

const secondsAMonth = 30 * 86_400;

/** Returns the rate in the busiest second for a monthly number of requests. */
export const toPeakRate = (times: number, { peak }: Workload): number => (times / secondsAMonth) * peak;

/** Read units of one call in its user's partition: the assistant, its credentials and its knowledge base. */
const userReadUnits = 9;
/** Write units of one call in its user's partition: the session's row, doubled because it is in a transaction. */
const sessionWriteUnits = 2;

/** Returns the quotas that apply if one user makes all calls. */
const listSingleUserQuotas = (calls: number): Quota[] => [
  {
    name: "Read units a second, one partition: all calls are one user's",
    limit: partitionLimits.reads,
    used: calls * userReadUnits,
    remedy: 'Workers that keep their lease; calls of several users',
  },
  {
    name: "Write units a second, one partition: all calls are one user's",
    limit: partitionLimits.writes,
    used: calls * sessionWriteUnits,
    remedy: 'Calls of several users: each has partitions of its own',
  },
];

/** Returns the quota of sign-ins. Assumes that each user signs in once a day. */
const getSignInQuota = (workload: Workload): Quota => ({
  name: 'Sign-ins a second, Cognito, the account: one a day each',
  limit: 120,
  used: toPeakRate(30 * workload.users, workload),
  remedy: 'Service Quotas sells more; longer sessions',
});

/** Returns the quota of events that are sent to the event bus. */
const getEventQuota = (workload: Workload): Quota => ({
  name: 'Events a second, EventBridge, the account',
  limit: 10_000,
  used: toPeakRate(countEvents(workload), workload),
  remedy: 'Service Quotas raises it; until then events arrive later',
});

/** Returns our own limits: the stage's throttle for each method, and the firewall's for all requests. */
function listOwnQuotas(rates: number[], stack: SynthesizedStack): Quota[] {
  const limit = stack.settings.throttle.rate;
  const remedy = '`throttle` in infra/config.ts';
  const busiest = Math.max(...rates);
  const total = rates.reduce((sum, rate) => sum + rate, 0);
  return [
    ...(hasFirewall(stack)
      ? [{ name: 'Requests a second, the limit of the firewall', limit, used: total, remedy }]
      : []),
    { name: 'Requests a second to one method, the throttle of the stage', limit, used: busiest, remedy },
  ];
}

/** Returns the quotas that all users share, the one that is reached first at the top. */
export function listSharedQuotas(workload: Workload, stack: SynthesizedStack): Quota[] {
  const loads = listRequestVolumes(workload).map((volume) => ({
    load: { ...getMeasuredRequest(volume, stack), usage: getRequestUsage(volume, stack) },
    rate: toPeakRate(volume.times, workload),
  }));
  const shared = listLimits(stack).map(({ measure, ...limit }) => ({
    ...limit,
    used: loads.reduce((total, { load, rate }) => total + rate * measure(load), 0),
  }));
  const ours = listOwnQuotas(
    loads.map(({ rate }) => rate),
    stack,
  );
  const signIns = hasUserPool(stack) ? [getSignInQuota(workload)] : [];
  return sortByShare([...ours, ...shared, ...signIns, getEventQuota(workload)]);
}

/** Returns all quotas that grow with the calls, the one that is reached first at the top. */
export const listQuotas = (workload: Workload, stack: SynthesizedStack): Quota[] =>
  sortByShare([...listSingleUserQuotas(toPeakRate(workload.calls, workload)), ...listSharedQuotas(workload, stack)]);
