import { busyMs } from './request.ts';
import type { Deployment } from './templates.ts';
import { partsOf, requestOf, usageOfPart, type Workload } from './workload.ts';

/** A limit of AWS, or our own, and how near a month's work comes to it in its busiest second. */
export interface Quota {
  name: string;
  limit: number;
  used: number;
  wayOut: string;
}

const secondsAMonth = 30 * 86_400;

/** Units of one call in a partition of its user: reads of the assistant, its credentials and its knowledge base … */
const readsOfUser = 9;
/** … and writes of the session's head, twice since in a transaction. */
const writesOfHead = 2;

/** The quotas that grow with the calls, the one that is met first at the top. Defaults of us-east-1. */
export function quotasOf(workload: Workload, deployment: Deployment): Quota[] {
  const { calls, peak } = workload;
  const { rate } = deployment.settings.throttle;
  const aSecond = (times: number) => (times / secondsAMonth) * peak;
  const parts = partsOf(workload).map((part) => ({
    ...part,
    ...requestOf(part, deployment),
    usage: usageOfPart(part, deployment),
    rate: aSecond(part.times),
  }));
  const total = (of: (part: (typeof parts)[number]) => number) =>
    parts.reduce((all, part) => all + part.rate * of(part), 0);
  const requests = total(() => 1);
  const quotas: Quota[] = [
    {
      name: 'Requests a second, the throttle of the stage',
      limit: rate,
      used: requests,
      wayOut: '`throttle` in infra/config.ts',
    },
    {
      name: 'Requests a second, API Gateway, the account',
      limit: 10_000,
      used: requests,
      wayOut: 'Service Quotas raises it',
    },
    {
      name: 'Functions at once, the account (a new account has fewer)',
      limit: 1_000,
      used: total(({ request, memoryMb }) => busyMs(request, memoryMb) / 1000),
      wayOut: 'Service Quotas raises it to tens of thousands',
    },
    {
      name: 'Write units a second, the table',
      limit: 40_000,
      used: total(({ usage }) => usage.writeUnit ?? 0),
      wayOut: 'Service Quotas raises it',
    },
    {
      name: 'Read units a second, the table',
      limit: 40_000,
      used: total(({ usage }) => usage.readUnit ?? 0),
      wayOut: 'Service Quotas raises it',
    },
    {
      name: "Write units a second, one partition: all calls are one user's",
      limit: 1_000,
      used: aSecond(calls) * writesOfHead,
      wayOut: 'Calls of several users: each has partitions of its own',
    },
    {
      name: "Read units a second, one partition: all calls are one user's",
      limit: 3_000,
      used: aSecond(calls) * readsOfUser,
      wayOut: 'Workers that keep their lease; calls of several users',
    },
    {
      name: 'Requests a second, KMS (10,000 or 20,000 in most other regions)',
      limit: 100_000,
      used: total(({ usage }) => usage.keyRequest ?? 0),
      wayOut: 'Workers that keep their lease; Service Quotas raises it',
    },
    {
      name: 'PUT a second, one prefix of S3: the transcripts of one user',
      limit: 3_500,
      used: total(({ usage }) => usage.fileStored ?? 0),
      wayOut: 'S3 splits prefixes by itself as they grow',
    },
  ];
  return quotas.sort((a, b) => b.used / b.limit - a.used / a.limit);
}
