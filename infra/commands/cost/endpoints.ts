import { routes } from '../../../shared/routes/index.ts';
import { listLimits, partitionLimits, type RequestLoad } from './limits.ts';
import { type MeasuredRequest, readMeasurements } from './measured.ts';
import { type Quota, sortByShare, toPeakRate } from './quotas.ts';
import { toUsage } from './request.ts';
import { getMemoryMb, type SynthesizedStack } from './templates.ts';
import { getRequestUsage, listRequestVolumes, type Workload } from './workload.ts';

/** Capacity of one endpoint, as if users called nothing else. */
export interface EndpointEstimate {
  request: MeasuredRequest;
  /** Requests per user and day. */
  perDay: number;
  isAssumed: boolean;
  /** Requests of all users in the busiest second. */
  rate: number;
  /** Quota that the endpoint reaches first. */
  first: Quota;
  /** Number of users at which it reaches that quota. */
  users: number;
  /** Guaranteed requests a second of one user: all their rows may be in one partition. */
  singleUserRate: number;
}

/** Assumed requests per user and month, for endpoints that the workload does not call: one a day. */
const assumedPerMonth = 30;

function estimateEndpoint(request: MeasuredRequest, workload: Workload, stack: SynthesizedStack): EndpointEstimate {
  const volume = listRequestVolumes(workload).find(({ route }) => route === request.route);
  const memoryMb = getMemoryMb(request.route, stack);
  const usage = volume ? getRequestUsage(volume, stack) : toUsage(request, memoryMb);
  const load: RequestLoad = { request, memoryMb, usage };
  const times = volume?.times ?? workload.users * assumedPerMonth;
  const rate = toPeakRate(times, workload);
  const [first] = sortByShare(
    listLimits(stack).map(({ measure, ...limit }) => ({ ...limit, used: rate * measure(load) })),
  );
  if (!first) throw new Error('There are no limits');
  return {
    request,
    perDay: times / workload.users / 30,
    isAssumed: !volume,
    rate,
    first,
    users: Math.round((workload.users * first.limit) / first.used),
    singleUserRate: Math.min(partitionLimits.reads / request.read_units, partitionLimits.writes / request.write_units),
  };
}

/** Sorts by the number of users that reach a quota, then by route. */
const compareUsers = (a: EndpointEstimate, b: EndpointEstimate): number =>
  a.users - b.users || (a.request.route < b.request.route ? -1 : 1);

/**
 * Estimates the capacity of every endpoint, sorted by how soon it reaches a quota. Uses the case in the workload, or
 * else the most expensive one.
 */
export function estimateEndpoints(workload: Workload, stack: SynthesizedStack): EndpointEstimate[] {
  const volumes = listRequestVolumes(workload);
  const measured = readMeasurements();
  return routes
    .map(({ id }) => {
      const volume = volumes.find(({ route }) => route === id);
      const cases = measured.filter((request) => request.route === id && (!volume || request.case === volume.case));
      const [lowest] = cases
        .map((request) => estimateEndpoint(request, workload, stack))
        .toSorted((a, b) => a.users - b.users || a.singleUserRate - b.singleUserRate);
      if (!lowest) throw new Error(`${id} is not measured: see infra/commands/cost/measured.csv`);
      return lowest;
    })
    .toSorted(compareUsers);
}
