import { table } from '../markdown.ts';
import { beyondFree, idleUsage } from './idle.ts';
import { readMeasured } from './measured.ts';
import { asOf, bill, dollars, type Meter, prices, sum, type Usage } from './prices.ts';
import { quotasOf } from './quotas.ts';
import { assumed, usageOf } from './request.ts';
import { type Deployment, memoryOf } from './templates.ts';
import { meanings, partsOf, usageIn, usageOfPart, type Workload } from './workload.ts';

/** A quantity for people: two digits behind the point, or none of what is large. */
export const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 });
const money = (value: number) => value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const metersOf = (usage: Usage) =>
  (Object.keys(prices) as Meter[]).flatMap((meter) => (usage[meter] ? [{ meter, quantity: usage[meter] }] : []));

/** The lines of a bill, and their total. */
function billTable(usage: Usage): string {
  const rows = metersOf(usage).map(({ meter, quantity }) => {
    const { service, what } = prices[meter];
    return [service, what, number(quantity), money(dollars(meter, quantity))];
  });
  return table(
    ['Service', 'For', 'Quantity:', 'Dollars:'],
    [...rows, ['**All**', '', '', `**${money(bill(usage))}**`]],
  );
}

/** What a deployment costs a month without a call; the web ACL, a choice, apart. */
export interface IdleCost {
  usual: number;
  /** In an account that has nothing else, by what AWS gives each account for good. */
  alone: number;
  firewall: number;
}

export function idleCost(deployment: Deployment): IdleCost {
  const { firewall = 0, firewallRule = 0, ...usage } = idleUsage(deployment);
  return { usual: bill(usage), alone: bill(beyondFree(usage)), firewall: bill({ firewall, firewallRule }) };
}

/** The same, as words. */
export function idleWords(deployment: Deployment): string {
  const { usual, alone, firewall } = idleCost(deployment);
  const webAcl = firewall > 0 ? `, and $${money(firewall)} for its web ACL` : '';
  return `$${money(usual)} a month, $${money(alone)} in an account that has nothing else${webAcl}`;
}

/** What the requests of one call cost in dollars. */
export const dollarsOfCall = (workload: Workload, deployment: Deployment): number =>
  partsOf({ ...workload, calls: 1 })
    .filter(({ byWorker }) => byWorker)
    .reduce((all, part) => all + bill(usageOfPart(part, deployment)) * part.times, 0);

/** The bill of a month, and which quotas it comes near. */
export function workloadReport(workload: Workload, deployment: Deployment): string {
  const usage = sum([idleUsage(deployment), 1], [usageIn(workload, deployment), 1]);
  const options = (Object.entries(meanings) as [keyof Workload, string][]).map(
    ([name, meaning]) => `- \`--${name} ${workload[name]}\`: ${meaning}`,
  );
  const quotas = quotasOf(workload, deployment).map(({ name, limit, used, wayOut }) => [
    name,
    number(used),
    number(limit),
    used > 0 ? number((workload.calls * limit) / used) : 'never',
    wayOut,
  ]);
  return [
    options.join('\n'),
    billTable(usage),
    `A million calls are $${money(dollarsOfCall(workload, deployment) * 1e6)}, before what is kept of them and before cheaper tiers.`,
    table(['Quota, in the busiest second', 'Used:', 'Limit:', 'Met at, calls a month:', 'Way out'], quotas),
  ].join('\n\n');
}

/** What a million of each measured request costs, everything included but what is kept. */
export function requestsTable(deployment: Deployment): string {
  const rows = readMeasured().map((request) => [
    `\`${request.route}\``,
    request.case,
    String(request.round_trips),
    String(request.read_units),
    String(request.write_units),
    String(request.key_requests || ''),
    [request.files_stored && `${request.files_stored} PUT`, request.files_read && `${request.files_read} GET`]
      .filter(Boolean)
      .join(', '),
    money(bill(usageOf(request, memoryOf(request.route, deployment))) * 1e6),
  ]);
  const heads = ['Route', 'Case', 'Round trips:', 'Read units:', 'Write units:', 'KMS:', 'S3', '$ a million:'];
  return table(heads, rows);
}

/** What the figures rest on besides what was measured. */
export function assumptions(): string {
  const { tripMs, processorMb, coldOneIn, coldMs, headerBytes } = assumed;
  return [
    `- A round trip from a function to DynamoDB, S3 or KMS takes ${tripMs} ms, and none runs beside another.`,
    '- What a function computed here took as long as on the processor of Lambda, and as many times longer as its memory is ' +
      `less than ${number(processorMb)} MB.`,
    `- One request in ${coldOneIn} starts a function, in ${coldMs} ms. An answer has ${headerBytes} bytes of headers.`,
    '- No free tier, but where it says so. Every request of a worker looks up its API key. A document of 1 MB is read in 3 seconds.',
  ].join('\n');
}

/** The prices, where AWS has them, and where they were seen. */
export function pricesTable(): string {
  const rows = Object.values(prices).map(({ service, what, per, tiers, source, seen }) => [
    `[${service}](${source})`,
    per === 1 ? what : `${per.toLocaleString('en')} ${what}`,
    tiers.map(([upTo, usd]) => (upTo === Infinity ? `${usd}` : `${usd} up to ${upTo.toLocaleString('en')}`)).join(', '),
    seen,
  ]);
  return `Of ${asOf}, us-east-1.\n\n${table(['Service', 'For', 'Dollars', 'Seen'], rows)}`;
}
