import { table } from '../markdown.ts';
import { endpointsOf } from './endpoints.ts';
import { idleUsage } from './idle.ts';
import { bill, sum } from './prices.ts';
import { sharedQuotasOf } from './quotas.ts';
import { number } from './report.ts';
import type { Deployment } from './templates.ts';
import { asManyUsers, usageIn, type Workload } from './workload.ts';

const users = 1e6;

/** A number of users, as exactly as it is known. */
const roughly = (count: number) =>
  Number.isFinite(count) ? Number(count.toPrecision(2)).toLocaleString('en') : 'never';

/** What all users together take, the quota that is met first at the top. */
const quotasTable = (workload: Workload, deployment: Deployment) =>
  table(
    ['Quota, in the busiest second', 'Used:', 'Limit:', 'Met at, users:', 'Way out'],
    sharedQuotasOf(workload, deployment).map(({ name, used, limit, wayOut }) => [
      name,
      number(used),
      number(limit),
      roughly((users * limit) / used),
      wayOut,
    ]),
  );

/** What each endpoint takes, as if nothing else were asked. */
const endpointsTable = (workload: Workload, deployment: Deployment) =>
  table(
    ['Route', 'Case', 'A day:', 'Busiest second:', 'First quota', 'Met at, users:', 'One user, a second:', 'Way out'],
    endpointsOf(workload, deployment).map(({ request, aDay, isAssumed, rate, first, users: met, alone }) => [
      `\`${request.route}\``,
      request.case,
      isAssumed ? `${number(aDay)}*` : number(aDay),
      number(rate),
      first.name,
      roughly(met),
      number(alone),
      first.wayOut,
    ]),
  );

/** docs/scale.md: users like those of a workload, a million of them. */
export function millionPage(one: Workload, deployment: Deployment): string {
  const workload = asManyUsers(one, users);
  const each = (count: number) => number(count / users);
  const dollars = bill(sum([idleUsage(deployment), 1], [usageIn(workload, deployment), 1]));
  return `<!-- Written by npm run cost -- --write -->

# A million users

What was measured on one machine is in [benchmarks](benchmarks.md#scale): no request takes more because there is more data. So what
is met first are quotas. This page reckons them, from the units of \`test/api/costs.test.ts\` and the assumptions of [costs](costs.md).
Nothing of it has been tried.

The user is the one of the largest bill there: ${each(workload.calls)} calls a month, ${each(workload.assistants)} assistants,
${each(workload.documents)} documents a month of 1 MB, ${number(workload.views)} looks at each list. The busiest second has
${number(workload.peak)} times the mean. A million of them make ${number(workload.calls / 30)} calls a day, and cost about
$${number(dollars)} a month at list prices.

## All of them together

${quotasTable(workload, deployment)}

The quotas are those that AWS gives an account by default in us-east-1, November 2026; Service Quotas shows yours.

## Each endpoint

As if nothing else were asked, and \`throttle\` were raised. *A day* says how often each user asks; what the bill's user
does not do is assumed to be done once a day (*). *One user* says how often one of them may ask for certain: as often as if all that
is read and written were in one partition, which takes 3,000 read units and 1,000 write units a second. Users do not share partitions,
so that none slows down another.

${endpointsTable(workload, deployment)}

## What to do then

1. **Raise \`throttle\`** in infra/config.ts when the alarm \`turned-away\` goes off for honest work. It limits each
   method and, by the firewall, all of them together. It guards the bill, not the service.
2. **Ask for quotas before they are met**: requests of API Gateway, functions at once, both units of the table, and KMS outside of the
   largest regions. A new table takes 4,000 writes and 12,000 reads a second at once, and later twice its last peak: before a large
   customer moves in, raise its warm throughput.
3. **Raise \`knowledgeBases.maxConcurrency\`** in infra/config.ts when the alarm \`ingestion-age\` goes off. Each document that
   is read at once is one of the account's functions at once.
4. **Cells.** When one account is not enough, deploy the environment into several, with one issuer for all (\`identity.kind: 'oidc'\`), and
   send each user to theirs. Users share nothing, so nothing has to be taken apart: one moves by \`npm run export\` and
   \`npm run import\` ([recovery](recovery.md)), all but the keys of vendors, which each cell encrypts by a key of its own.
5. **One user who is too large** for a partition needs several: one for each of their own customers, for example.

These do not grow with users: the resources of the stack, deployments by CodeDeploy, the number of keys of KMS, alarms and metrics,
which are by route and never by user. SQS takes any number of messages. EventBridge passes on 18,750 events a second, one for each
document. A list of all users is nowhere read; \`npm run verify\` alone reads the whole table.
`;
}
