import { assumptions, idleWords, pricesTable, requestsTable, workloadReport } from './report.ts';
import { deploymentOf } from './templates.ts';
import { usual, type Workload } from './workload.ts';

/** The sizes that docs/costs.md tells of. */
export const sizes = {
  'A small team': { ...usual, calls: 2_000, assistants: 10, documents: 20, users: 3 },
  'A middling one': usual,
  'As large as the internet': {
    ...usual,
    calls: 30_000_000,
    assistants: 100_000,
    documents: 20_000,
    users: 5_000,
    peak: 5,
  },
} satisfies Record<string, Workload>;

/** docs/costs.md. */
export function page(): string {
  const prod = deploymentOf('prod');
  const idle = Object.entries({ dev: deploymentOf('dev'), prod }).map(
    ([name, deployment]) => `- \`${name}\`: ${idleWords(deployment)}.`,
  );
  const bills = Object.entries(sizes).map(([name, workload]) => `### ${name}\n\n${workloadReport(workload, prod)}`);
  return `<!-- Written by npm run cost -- --write -->

# Costs

What the service costs in your account, and which limits it meets first. Round trips and units are what
\`test/api/costs.test.ts\` measures; the rest is arithmetic with AWS's list prices and the assumptions below. No bill of AWS has
been compared with it yet. \`npm run cost -- --calls 100000 --assistants 500\` reckons with your own figures, and [a million
users](scale.md) are reckoned apart.

While nobody calls:

${idle.join('\n')}

The key of the credentials is $1 of it, and each queue that Lambda asks for messages $0.26; the rest is alarms and dashboards, as
many as the templates have. The key is rotated yearly, and each of the first two rotations adds $1 a month: it is $2 in its second
year, and $3 from its third on. AWS gives every account a million requests of SQS and ten metrics of alarms a month, not for its first
year only; a dashboard is free up to 50 metrics, which ours exceeds. A budget that only tells is free.

What the calls themselves cost is not in here: telephony, speech and language models are billed by your vendors.
A hosted service takes a fee for a minute: Vapi's was $0.05 besides the vendors' own prices, as others quoted it in 2026. For that fee
it also runs the workers, which here are yours.

## Bills of \`prod\`

${bills.join('\n\n')}

## A million of each request

API Gateway, Lambda, DynamoDB, S3, KMS, logs and data transfer together, before cheaper tiers. An assistant has just under
2 KB, as a prompt of some care makes it: a write unit covers 1 KB, so twice the prompt is twice the price of a write. An API key
that a function has not seen for a minute is one read unit and one round trip more; once an hour its use is noted, one write unit.

${requestsTable(prod)}

The emulator reports nothing for a transaction that is refused, so these cases show 0. AWS bills it all the same. That is
a replay, a key that was used for another request, and a 412 or 404 of a delete. Reckon with the units of the write that
was tried: up to 6 here, $3.75 a million. A 412 of an update costs only its read, since the revision is compared before
anything is written; an update that loses the race to another writer pays for its refused write, too. So does the delete of
an assistant that has knowledge bases, which first tries as if it had none: reckon with 6 more.

## Assumptions

${assumptions()}

## Prices

Where a figure was seen, of several tiers the first: on a copy of a page of AWS, quoted by others, or nowhere, and so from memory.
Look at the linked page before you rely on one.

${pricesTable()}
`;
}
