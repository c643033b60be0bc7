import { routes } from '../../shared/routes/index.ts';
import { limitsOf, ofPartition, type Taken } from './limits.ts';
import { type Measured, readMeasured } from './measured.ts';
import { aSecond, byUse, type Quota } from './quotas.ts';
import { usageOf } from './request.ts';
import { type Deployment, memoryOf } from './templates.ts';
import { partsOf, usageOfPart, type Workload } from './workload.ts';

/** How far an endpoint goes by itself, if nothing else were asked. */
export interface Endpoint {
  request: Measured;
  /** How often each user asks it a day, and whether that is only assumed. */
  aDay: number;
  isAssumed: boolean;
  /** Requests in the busiest second of all users. */
  rate: number;
  /** The quota that it meets first. */
  first: Quota;
  /** How many users there are then. */
  users: number;
  /** How often a second one user may ask it for certain: as often as if all that it touches were in one partition. */
  alone: number;
}

/** What the bill's user does not do is assumed to be done by each of them once a day, in a month of thirty. */
const timesAssumed = 30;

function endpointOf(request: Measured, workload: Workload, deployment: Deployment): Endpoint {
  const part = partsOf(workload).find((one) => one.route === request.route);
  const memoryMb = memoryOf(request.route, deployment);
  const usage = part ? usageOfPart(part, deployment) : usageOf(request, memoryMb);
  const taken: Taken = { request, memoryMb, usage };
  const times = part?.times ?? workload.users * timesAssumed;
  const rate = aSecond(times, workload);
  const [first] = byUse(limitsOf(deployment).map(({ of, ...limit }) => ({ ...limit, used: rate * of(taken) })));
  if (!first) throw new Error('There is no limit');
  return {
    request,
    aDay: times / workload.users / 30,
    isAssumed: !part,
    rate,
    first,
    users: Math.round((workload.users * first.limit) / first.used),
    alone: Math.min(ofPartition.reads / request.read_units, ofPartition.writes / request.write_units),
  };
}

/** What meets a quota first stands first; what meets it together is in the order of its names. */
const byUsers = (one: Endpoint, other: Endpoint): number =>
  one.users - other.users || (one.request.route < other.request.route ? -1 : 1);

/**
 * Every endpoint, the one that meets a quota first at the top: in the case that the workload has of it, else in the one that
 * takes most.
 */
export function endpointsOf(workload: Workload, deployment: Deployment): Endpoint[] {
  const parts = partsOf(workload);
  const measured = readMeasured();
  return routes
    .map(({ id }) => {
      const part = parts.find(({ route }) => route === id);
      const cases = measured.filter((one) => one.route === id && (!part || one.case === part.case));
      const [most] = cases
        .map((request) => endpointOf(request, workload, deployment))
        .toSorted((one, other) => one.users - other.users || one.alone - other.alone);
      if (!most) throw new Error(`${id} is not measured: see infra/cost/measured.csv`);
      return most;
    })
    .toSorted(byUsers);
}
