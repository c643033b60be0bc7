import { type Limit, limitsOf, ofPartition } from './limits.ts';
import { type Deployment, hasFirewall } from './templates.ts';
import { partsOf, requestOf, usageOfPart, type Workload } from './workload.ts';

/** A limit of AWS, or our own, and how near a month's work comes to it in its busiest second. */
export interface Quota extends Pick<Limit, 'name' | 'limit' | 'wayOut'> {
  used: number;
}

/** Those that are met first at the top. */
export const byUse = (quotas: Quota[]): Quota[] => quotas.toSorted((a, b) => shareOf(b) - shareOf(a));

/** As exactly as is worth while: of two that are met at once, the first one stays the first. */
const shareOf = ({ used, limit }: Quota) => Number((used / limit).toPrecision(6));

const secondsAMonth = 30 * 86_400;

/** How often a second something is done in the busiest one, that is done so often in a month. */
export const aSecond = (times: number, { peak }: Workload): number => (times / secondsAMonth) * peak;

/** Units of one call in a partition of its user: reads of the assistant, its credentials and its knowledge base … */
const readsOfUser = 9;
/** … and writes of the session's head, twice since in a transaction. */
const writesOfHead = 2;

/** What one user may do where all calls are theirs. */
const quotasOfOne = (calls: number): Quota[] => [
  {
    name: "Read units a second, one partition: all calls are one user's",
    limit: ofPartition.reads,
    used: calls * readsOfUser,
    wayOut: 'Workers that keep their lease; calls of several users',
  },
  {
    name: "Write units a second, one partition: all calls are one user's",
    limit: ofPartition.writes,
    used: calls * writesOfHead,
    wayOut: 'Calls of several users: each has partitions of its own',
  },
];

/** People who sign in, each once a day. */
const signIns = (workload: Workload): Quota => ({
  name: 'Sign-ins a second, Cognito, the account: one a day each',
  limit: 120,
  used: aSecond(30 * workload.users, workload),
  wayOut: 'Service Quotas sells more; sessions that last longer',
});

/** Our own limits: the stage's throttle, which each method has for itself, and the firewall's on all requests together. */
function ourQuotas(rates: number[], deployment: Deployment): Quota[] {
  const limit = deployment.settings.throttle.rate;
  const wayOut = '`throttle` in infra/config.ts';
  const busiest = Math.max(...rates);
  const all = rates.reduce((sum, rate) => sum + rate, 0);
  return [
    ...(hasFirewall(deployment)
      ? [{ name: 'Requests a second, the limit of the firewall', limit, used: all, wayOut }]
      : []),
    { name: 'Requests a second to one method, the throttle of the stage', limit, used: busiest, wayOut },
  ];
}

/** The quotas that all users share, the one that is met first at the top. */
export function sharedQuotasOf(workload: Workload, deployment: Deployment): Quota[] {
  const parts = partsOf(workload).map((part) => ({
    taken: { ...requestOf(part, deployment), usage: usageOfPart(part, deployment) },
    rate: aSecond(part.times, workload),
  }));
  const shared = limitsOf(deployment).map(({ of, ...limit }) => ({
    ...limit,
    used: parts.reduce((all, { taken, rate }) => all + rate * of(taken), 0),
  }));
  const ours = ourQuotas(
    parts.map(({ rate }) => rate),
    deployment,
  );
  return byUse([...ours, ...shared, signIns(workload)]);
}

/** The quotas that grow with the calls, those of one user included, the one that is met first at the top. */
export const quotasOf = (workload: Workload, deployment: Deployment): Quota[] =>
  byUse([...quotasOfOne(aSecond(workload.calls, workload)), ...sharedQuotasOf(workload, deployment)]);
