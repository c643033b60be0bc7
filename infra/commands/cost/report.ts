import { formatTable } from '../../terminal/markdown.ts';
import { getIdleUsage, subtractAlwaysFree } from './idle.ts';
import { readMeasurements } from './measured.ts';
import { getCost, getMeterCost, type Meter, prices, pricesDate, sumUsages, type Usage } from './prices.ts';
import { listQuotas } from './quotas.ts';
import { assumptions, toUsage } from './request.ts';
import { getMemoryMb, type SynthesizedStack } from './templates.ts';
import { getMonthlyUsage, getRequestUsage, listRequestVolumes, optionDescriptions, type Workload } from './workload.ts';

/** Formats a number with at most two decimals, or none from 10 on. */
export const formatNumber = (value: number) =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 });
const formatMoney = (value: number) =>
  value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const listMeters = (usage: Usage) =>
  (Object.keys(prices) as Meter[]).flatMap((meter) => (usage[meter] ? [{ meter, quantity: usage[meter] }] : []));

/** Builds a table of the bill's lines and their total. */
function buildBillTable(usage: Usage): string {
  const rows = listMeters(usage).map(({ meter, quantity }) => {
    const { service, what } = prices[meter];
    return [service, what, formatNumber(quantity), formatMoney(getMeterCost(meter, quantity))];
  });
  return formatTable(
    ['Service', 'For', 'Quantity:', 'Dollars:'],
    [...rows, ['**All**', '', '', `**${formatMoney(getCost(usage))}**`]],
  );
}

/** Monthly cost of an idle environment, in dollars. The optional web ACL is separate. */
export interface IdleCost {
  listPrice: number;
  /** Cost in an otherwise empty account, after AWS's lasting free tier. */
  afterAlwaysFree: number;
  firewall: number;
}

export function getIdleCost(stack: SynthesizedStack): IdleCost {
  const { firewall = 0, firewallRule = 0, ...usage } = getIdleUsage(stack);
  return {
    listPrice: getCost(usage),
    afterAlwaysFree: getCost(subtractAlwaysFree(usage)),
    firewall: getCost({ firewall, firewallRule }),
  };
}

/** Formats the monthly cost of an idle environment. */
export function formatIdleCost(stack: SynthesizedStack): string {
  const { listPrice: usual, afterAlwaysFree: alone, firewall } = getIdleCost(stack);
  const webAcl = firewall > 0 ? `, and $${formatMoney(firewall)} for the web ACL` : '';
  return `$${formatMoney(usual)} a month, $${formatMoney(alone)} in an otherwise empty account${webAcl}`;
}

/** Returns the cost of the requests of one call, in dollars. */
export const getCallCost = (workload: Workload, stack: SynthesizedStack): number =>
  listRequestVolumes({ ...workload, calls: 1 })
    .filter(({ byWorker }) => byWorker)
    .reduce((total, volume) => total + getCost(getRequestUsage(volume, stack)) * volume.times, 0);

/** Builds the monthly bill of a workload, and the quotas it comes close to. */
export function buildWorkloadReport(workload: Workload, stack: SynthesizedStack): string {
  const usage = sumUsages([getIdleUsage(stack), 1], [getMonthlyUsage(workload, stack), 1]);
  const options = (Object.entries(optionDescriptions) as [keyof Workload, string][]).map(
    ([name, meaning]) => `- \`--${name} ${workload[name]}\`: ${meaning}`,
  );
  const quotas = listQuotas(workload, stack).map(({ name, limit, used, remedy }) => [
    name,
    formatNumber(used),
    formatNumber(limit),
    used > 0 ? formatNumber((workload.calls * limit) / used) : 'never',
    remedy,
  ]);
  return [
    options.join('\n'),
    buildBillTable(usage),
    `A million calls are $${formatMoney(getCallCost(workload, stack) * 1e6)}, before storage and before cheaper tiers.`,
    formatTable(['Quota, in the busiest second', 'Used:', 'Limit:', 'Reached at, calls a month:', 'Remedy'], quotas),
  ].join('\n\n');
}

/** Builds a table of the price of a million of each measured request, without storage. */
export function buildRequestsTable(stack: SynthesizedStack): string {
  const rows = readMeasurements().map((request) => [
    `\`${request.route}\``,
    request.case,
    String(request.round_trips),
    String(request.read_units),
    String(request.write_units),
    String(request.key_requests || ''),
    [request.files_stored && `${request.files_stored} PUT`, request.files_read && `${request.files_read} GET`]
      .filter(Boolean)
      .join(', '),
    formatMoney(getCost(toUsage(request, getMemoryMb(request.route, stack))) * 1e6),
  ]);
  const heads = ['Route', 'Case', 'Round trips:', 'Read units:', 'Write units:', 'KMS:', 'S3', '$ a million:'];
  return formatTable(heads, rows);
}

/** Lists the assumptions behind the figures. */
export function formatAssumptions(): string {
  const { computeMs, computeMsPerTrip, tripMs, processorMb, requestsPerColdStart, coldStartMs, headerBytes } =
    assumptions;
  return [
    `- A round trip from a function to DynamoDB, S3 or KMS takes ${tripMs} ms. No two of them overlap.`,
    `- A function computes for ${computeMs} ms, and ${computeMsPerTrip} ms for each round trip; proportionally longer with less ` +
      `memory than ${formatNumber(processorMb)} MB.`,
    `- One request in ${requestsPerColdStart} is a cold start of ${coldStartMs} ms. A response has ${headerBytes} bytes of headers.`,
    "- No free tier unless noted. Each of a worker's requests looks up its API key. Parsing a document of 1 MB takes 3 seconds.",
  ].join('\n');
}

/** Builds a table of the prices with their pages and sources. */
export function buildPricesTable(): string {
  const rows = Object.values(prices).map(({ service, what, per, tiers, source, seen }) => [
    `[${service}](${source})`,
    per === 1 ? what : `${per.toLocaleString('en')} ${what}`,
    tiers.map(([upTo, usd]) => (upTo === Infinity ? `${usd}` : `${usd} up to ${upTo.toLocaleString('en')}`)).join(', '),
    seen,
  ]);
  return `As of ${pricesDate}, us-east-1.\n\n${formatTable(['Service', 'For', 'Dollars', 'Seen'], rows)}`;
}
