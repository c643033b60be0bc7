import { routes } from '../../shared/routes/index.ts';
import type { Measured } from './measured.ts';
import type { Usage } from './prices.ts';
import { busyMs } from './request.ts';
import type { Deployment } from './templates.ts';
import { readingSeconds } from './workload.ts';

/** What one request takes of what is limited. */
export interface Taken {
  request: Measured;
  memoryMb: number;
  usage: Usage;
}

/** A limit on what all requests of a second take together. */
export interface Limit {
  name: string;
  limit: number;
  /** How much of it one request takes. */
  of(taken: Taken): number;
  wayOut: string;
}

const uploaders: string[] = routes
  .filter(({ needs }) => needs.files?.uploads?.includes('PutObject'))
  .map(({ id }) => id);

/** How many documents are read at once. */
function readersOf({ resources }: Deployment): number {
  const source = resources.find(({ Type }) => Type === 'AWS::Lambda::EventSourceMapping');
  const { MaximumConcurrency } = (source?.Properties.ScalingConfig ?? {}) as { MaximumConcurrency?: number };
  return MaximumConcurrency ?? 1_000;
}

/** A short request takes this much of what may run at once: ten requests a second for each. */
const leastAtOnce = 0.1;

/** The limits that requests of all users share: defaults of us-east-1, and how many documents we read at once. */
export const limitsOf = (deployment: Deployment): Limit[] => [
  {
    name: 'Requests a second, API Gateway, the account',
    limit: 10_000,
    of: () => 1,
    wayOut: 'Service Quotas raises it',
  },
  {
    name: 'Functions at once, the account (a new account has fewer)',
    limit: 1_000,
    of: ({ request, memoryMb }) => Math.max(busyMs(request, memoryMb) / 1000, leastAtOnce),
    wayOut: 'Service Quotas raises it to tens of thousands',
  },
  {
    name: 'Write units a second, the table',
    limit: 40_000,
    of: ({ usage }) => usage.writeUnit ?? 0,
    wayOut: 'Service Quotas raises it',
  },
  {
    name: 'Read units a second, the table',
    limit: 40_000,
    of: ({ usage }) => usage.readUnit ?? 0,
    wayOut: 'Service Quotas raises it',
  },
  {
    name: 'Requests a second, KMS (10,000 or 20,000 in most other regions)',
    limit: 100_000,
    of: ({ usage }) => usage.keyRequest ?? 0,
    wayOut: 'Workers that keep their lease; Service Quotas raises it',
  },
  {
    name: 'PUT a second, S3, before it splits the bucket',
    limit: 3_500,
    of: ({ usage }) => usage.fileStored ?? 0,
    wayOut: 'None needed: S3 splits it by itself, along the users, and says 503 meanwhile',
  },
  {
    name: 'GET a second, S3, before it splits the bucket',
    limit: 5_500,
    of: ({ usage }) => usage.fileRead ?? 0,
    wayOut: 'None needed: S3 splits it by itself, along the users, and says 503 meanwhile',
  },
  {
    name: 'Documents read at once',
    limit: readersOf(deployment),
    of: ({ request }) => (uploaders.includes(request.route) ? readingSeconds : 0),
    wayOut:
      '`knowledgeBases.maxConcurrency` in infra/config.ts. Documents wait until then, and after 20 minutes are shown as failed',
  },
];

/** What DynamoDB gives a partition, in units a second: one user's things of a kind are in one at least. */
export const ofPartition = { reads: 3_000, writes: 1_000 };
