import { routes } from '../../../shared/routes/index.ts';
import type { MeasuredRequest } from './measured.ts';
import type { Usage } from './prices.ts';
import { estimateBusyMs } from './request.ts';
import type { SynthesizedStack } from './templates.ts';
import { parsingSeconds } from './workload.ts';

/** Load of one request. */
export interface RequestLoad {
  request: MeasuredRequest;
  memoryMb: number;
  usage: Usage;
}

/** Limit on the total load of all requests in a second. */
export interface Limit {
  name: string;
  limit: number;
  /** Returns the share of the load that counts against the limit. */
  measure(load: RequestLoad): number;
  remedy: string;
}

const uploadRoutes: string[] = routes
  .filter(({ needs }) => needs.files?.uploads?.includes('PutObject'))
  .map(({ id }) => id);

/** Returns the number of documents that are ingested concurrently. */
function getIngestConcurrency({ resources }: SynthesizedStack): number {
  const source = resources.find(
    ({ Type, Properties }) => Type === 'AWS::Lambda::EventSourceMapping' && Properties.ScalingConfig,
  );
  const { MaximumConcurrency } = (source?.Properties.ScalingConfig ?? {}) as { MaximumConcurrency?: number };
  return MaximumConcurrency ?? 1_000;
}

/**
 * Minimum concurrency that Lambda counts for a request, however short: each unit of concurrency allows ten requests a
 * second.
 */
const minConcurrency = 0.1;

/** Returns the limits that all users share: the default quotas of us-east-1, and the concurrency of ingestion. */
export const listLimits = (stack: SynthesizedStack): Limit[] => [
  {
    name: 'Requests a second, API Gateway, the account',
    limit: 10_000,
    measure: () => 1,
    remedy: 'Service Quotas raises it',
  },
  {
    name: 'Functions at once, the account (a new account has fewer)',
    limit: 1_000,
    measure: ({ request, memoryMb }) => Math.max(estimateBusyMs(request, memoryMb) / 1000, minConcurrency),
    remedy: 'Service Quotas raises it to tens of thousands',
  },
  {
    name: 'Write units a second, the table',
    limit: 40_000,
    measure: ({ usage }) => usage.writeUnit ?? 0,
    remedy: 'Service Quotas raises it',
  },
  {
    name: 'Read units a second, the table',
    limit: 40_000,
    measure: ({ usage }) => usage.readUnit ?? 0,
    remedy: 'Service Quotas raises it',
  },
  {
    name: 'Requests a second, KMS (10,000 or 20,000 in most other regions)',
    limit: 100_000,
    measure: ({ usage }) => usage.keyRequest ?? 0,
    remedy: 'Workers that keep their lease; Service Quotas raises it',
  },
  {
    name: 'PUT a second, S3, before it splits the bucket',
    limit: 3_500,
    measure: ({ usage }) => usage.fileStored ?? 0,
    remedy: 'None needed: S3 splits the bucket by user, and answers 503 until it has',
  },
  {
    name: 'GET a second, S3, before it splits the bucket',
    limit: 5_500,
    measure: ({ usage }) => usage.fileRead ?? 0,
    remedy: 'None needed: S3 splits the bucket by user, and answers 503 until it has',
  },
  {
    name: 'Documents ingested at once',
    limit: getIngestConcurrency(stack),
    measure: ({ request }) => (uploadRoutes.includes(request.route) ? parsingSeconds : 0),
    remedy:
      '`knowledgeBases.maxConcurrency` in infra/config.ts. Documents wait in the queue, and show as failed after 30 minutes',
  },
];

/** DynamoDB's units a second for one partition. A user's rows of one kind may all be in one. */
export const partitionLimits = { reads: 3_000, writes: 1_000 };
