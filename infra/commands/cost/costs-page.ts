import {
  buildPricesTable,
  buildRequestsTable,
  buildWorkloadReport,
  formatAssumptions,
  formatIdleCost,
} from './report.ts';
import { synthesizeStack } from './templates.ts';
import { defaultWorkload, type Workload } from './workload.ts';

/** Workloads of the bills in docs/costs.md. */
export const exampleWorkloads = {
  'A small team': { ...defaultWorkload, calls: 2_000, assistants: 10, documents: 20, users: 3 },
  'A mid-size company': defaultWorkload,
  'As large as the internet': {
    ...defaultWorkload,
    calls: 30_000_000,
    assistants: 100_000,
    documents: 20_000,
    users: 5_000,
    peak: 5,
  },
} satisfies Record<string, Workload>;

/** Builds docs/costs.md. */
export function buildCostsPage(): string {
  const prod = synthesizeStack('prod');
  const idle = Object.entries({ dev: synthesizeStack('dev'), prod }).map(
    ([name, stack]) => `- \`${name}\`: ${formatIdleCost(stack)}.`,
  );
  const bills = Object.entries(exampleWorkloads).map(
    ([name, workload]) => `### ${name}\n\n${buildWorkloadReport(workload, prod)}`,
  );
  return `<!-- Written by npm run cost -- --write -->

# Costs

The service's cost in your account, and the limits it reaches first. \`test/api/costs.test.ts\` measures the round trips and
units; the rest follows from AWS's list prices and the assumptions below. It has not yet been compared with an actual AWS bill.
\`npm run cost -- --calls 100000 --assistants 500\` estimates your own bill. [Another page](scale.md) covers a million users.

While nobody calls:

${idle.join('\n')}

This includes $1 for the credentials' KMS key and $0.26 for each queue that Lambda polls; the rest is for the alarms and dashboards
in the templates. The key is rotated yearly, and each of the first two rotations adds $1 a month: it costs $2 in its second year, and
$3 from its third year on. AWS's free tier of a million SQS requests and ten alarm metrics a month does not expire after a year. A
dashboard is free up to 50 metrics, which ours exceeds. A budget without actions is free.

The calls themselves are not included: your vendors bill telephony, speech and language models. A hosted service charges a fee per
minute: Vapi's was $0.05 on top of the vendors' prices, as quoted by others in 2026. That fee includes the workers, which you run
yourself here.

## Bills of \`prod\`

${bills.join('\n\n')}

## A million of each request

The price covers API Gateway, Lambda, DynamoDB, S3, KMS, logs and data transfer, before cheaper tiers. An assistant has just under
2 KB, which fits a careful prompt. A write unit covers 1 KB, so a prompt twice as long doubles the price of a write. An API key that
a function has not seen for a minute adds one read unit and one round trip. Updating its last use, once an hour, adds one write unit.

${buildRequestsTable(prod)}

The emulator reports no units for a rejected transaction, so these cases show 0: a replay, a key that was used for another
request, and a 412 or 404 of a delete. AWS bills them all the same. Expect the units of the attempted write: up to 6 here, $3.75 a
million. A 412 of an update costs only its read, since the revision is compared before the write. An update that loses a race
against another writer also pays for its rejected write. So does deleting an assistant with knowledge bases, which is first
attempted as if it had none: expect 6 more units.

Where a [quota](quotas.md) limits requests, each that counts writes one unit more, $0.63 a million.

\`completions/create\` also waits for the vendor: each second adds $13.33 a million for a function of 1,024 MB. An answer of five seconds
that is stored comes to some $87 a million, beside what the vendor takes. A job asks ten requests at a time in one function of 1,024 MB:
a minute of it costs $0.0008, and each request two events and what \`completions/create\` reads.

## Assumptions

${formatAssumptions()}

## Prices

*Seen* is the source of a figure, or of its first tier: a copy of an AWS page, a quote by others, or none (from memory). Check the
linked page before you rely on a price.

${buildPricesTable()}
`;
}
