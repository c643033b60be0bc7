import { formatTable } from '../../terminal/markdown.ts';
import { estimateEndpoints } from './endpoints.ts';
import { getIdleUsage } from './idle.ts';
import { getCost, sumUsages } from './prices.ts';
import { listSharedQuotas } from './quotas.ts';
import { formatNumber } from './report.ts';
import type { SynthesizedStack } from './templates.ts';
import { getMonthlyUsage, scaleToUsers, type Workload } from './workload.ts';

const users = 1e6;

/** Rounds a number of users to two significant digits. */
const roundCount = (count: number) =>
  Number.isFinite(count) ? Number(count.toPrecision(2)).toLocaleString('en') : 'never';

/** Builds the table of shared quotas, the one that is reached first at the top. */
const buildQuotasTable = (workload: Workload, stack: SynthesizedStack) =>
  formatTable(
    ['Quota, in the busiest second', 'Used:', 'Limit:', 'Reached at, users:', 'Remedy'],
    listSharedQuotas(workload, stack).map(({ name, used, limit, remedy }) => [
      name,
      formatNumber(used),
      formatNumber(limit),
      roundCount((users * limit) / used),
      remedy,
    ]),
  );

/** Builds the table of endpoints, each as if users called nothing else. */
const buildEndpointsTable = (workload: Workload, stack: SynthesizedStack) =>
  formatTable(
    [
      'Route',
      'Case',
      'Per day:',
      'Busiest second:',
      'First quota',
      'Reached at, users:',
      'One user, a second:',
      'Remedy',
    ],
    estimateEndpoints(workload, stack).map(
      ({ request, perDay, isAssumed, rate, first, users: usersAtQuota, singleUserRate: alone }) => [
        `\`${request.route}\``,
        request.case,
        isAssumed ? `${formatNumber(perDay)}*` : formatNumber(perDay),
        formatNumber(rate),
        first.name,
        roundCount(usersAtQuota),
        formatNumber(alone),
        first.remedy,
      ],
    ),
  );

/** Builds docs/scale.md for a million users like those of the workload. */
export function buildScalePage(sample: Workload, stack: SynthesizedStack): string {
  const workload = scaleToUsers(sample, users);
  const formatPerUser = (count: number) => formatNumber(count / users);
  const dollars = getCost(sumUsages([getIdleUsage(stack), 1], [getMonthlyUsage(workload, stack), 1]));
  return `<!-- Written by npm run cost -- --write -->

# A million users

[Benchmarks](benchmarks.md#scale) on one machine show that no request needs more units as the data grows. So quotas are what you
reach first. This page estimates them from the units in \`test/api/costs.test.ts\` and the assumptions in [costs](costs.md). None of
it has been tested on AWS.

Each user is like those of the largest bill there: ${formatPerUser(workload.calls)} calls a month, ${formatPerUser(workload.assistants)} assistants,
${formatPerUser(workload.documents)} documents of 1 MB a month, and ${formatNumber(workload.views)} views of each list. The busiest second has
${formatNumber(workload.peak)} times the mean rate. A million such users make ${formatNumber(workload.calls / 30)} calls a day, and cost about
$${formatNumber(dollars)} a month at list prices.

## All of them together

${buildQuotasTable(workload, stack)}

These are AWS's default quotas for an account in us-east-1, as of November 2026. Service Quotas shows yours.

## Each endpoint

The estimates assume that users call nothing else and that \`throttle\` is raised. *A day* is the number of requests per user; requests
that are not part of the bill are assumed once a day (*). *One user* is the rate that is guaranteed for one user: all rows of a
request may be in one partition, which allows 3,000 read units and 1,000 write units a second. Users share no partitions of
the table, and few share one of the [index of what waits](decisions/0016-what-waits.md), so none of them slows down all others.

${buildEndpointsTable(workload, stack)}

## What to do then

1. **Raise \`throttle\`** in infra/config.ts when the alarm \`turned-away\` goes off because of legitimate traffic. It limits each method
   and, through the firewall, all of them together. It protects the bill, not the service.
2. **Request higher quotas early**: API Gateway requests, concurrent functions, the table's read and write units, and KMS requests
   outside the largest regions. A new table takes 4,000 writes and 12,000 reads a second, and later twice its last peak. Raise its warm
   throughput before a large customer starts.
3. **Raise \`knowledgeBases.maxConcurrency\`** in infra/config.ts when the alarm \`ingestion-age\` goes off. Each document that is
   ingested at once needs one of the account's concurrent functions.
4. **Split users into cells.** When one account is not enough, deploy the environment into several, with one issuer for all
   (\`identity.kind: 'oidc'\`), and send each user to their cell. Users share no data, so a user moves with \`npm run export\` and
   \`npm run import\` ([recovery](recovery.md)). Only vendor keys do not move: each cell encrypts them with its own KMS key.
5. **Split a user who is too large** for a partition, for example into one user for each of their customers.

These do not grow with the number of users: the stack's resources, CodeDeploy deployments, KMS keys, and alarms and metrics, which are
per route. SQS takes any number of messages. EventBridge passes on 18,750 events a second, and each document is one event. Nothing
lists all users; only \`npm run verify\` reads the whole table.
`;
}
