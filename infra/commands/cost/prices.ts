/** Source of a figure, or of its first tier: a page of AWS, a quote by others, or `no`: from memory. */
export type PriceSource = 'AWS' | 'others' | 'no';

export interface Price {
  service: string;
  what: string;
  /** Quantity that the price is for. */
  per: number;
  /** Prices in dollars, each with the monthly quantity at which it ends. */
  tiers: [upTo: number, usd: number][];
  /** Pricing page of AWS. */
  source: string;
  seen: PriceSource;
}

/** Date of the price lookup. */
export const pricesDate = '2026-11-21';

const million = 1e6;
const toPricingUrl = (service: string) => `https://aws.amazon.com/${service}/pricing/`;

const definePrice = (
  service: string,
  page: string,
  seen: PriceSource,
  what: string,
  per: number,
  ...tiers: [number, number][]
): Price => ({ service, what, per, tiers, source: toPricingUrl(page), seen });

const unlimited = Number.POSITIVE_INFINITY;

/**
 * List prices of us-east-1 in dollars, without any free tier. A gigabyte has 10^9 bytes, a month 30 days. Logs are
 * priced at their first tier, which is too high above several terabytes.
 */
export const prices = {
  gatewayRequest: definePrice(
    'API Gateway',
    'api-gateway',
    'AWS',
    'requests',
    million,
    [333e6, 3.5],
    [1e9, 2.8],
    [20e9, 2.38],
    [unlimited, 1.51],
  ),
  lambdaRequest: definePrice('Lambda', 'lambda', 'others', 'requests', million, [unlimited, 0.2]),
  lambdaGbSecond: definePrice(
    'Lambda',
    'lambda',
    'others',
    'GB-seconds, arm64',
    1,
    [7.5e9, 0.0000133334],
    [18.75e9, 0.0000120001],
    [unlimited, 0.0000106667],
  ),
  readUnit: definePrice('DynamoDB', 'dynamodb', 'others', 'read units', million, [unlimited, 0.125]),
  writeUnit: definePrice('DynamoDB', 'dynamodb', 'others', 'write units', million, [unlimited, 0.625]),
  tableGigabyte: definePrice('DynamoDB', 'dynamodb', 'AWS', 'GB stored', 1, [unlimited, 0.25]),
  backupGigabyte: definePrice('DynamoDB', 'dynamodb', 'others', 'GB, point-in-time recovery', 1, [unlimited, 0.2]),
  copyGigabyte: definePrice('Backup', 'backup', 'others', 'GB, copies of the table', 1, [unlimited, 0.1]),
  fileStored: definePrice('S3', 's3', 'others', 'PUT', 1_000, [unlimited, 0.005]),
  fileRead: definePrice('S3', 's3', 'others', 'GET', 1_000, [unlimited, 0.0004]),
  fileGigabyte: definePrice('S3', 's3', 'others', 'GB stored', 1, [50e3, 0.023], [500e3, 0.022], [unlimited, 0.021]),
  key: definePrice('KMS', 'kms', 'AWS', 'keys', 1, [unlimited, 1]),
  keyRequest: definePrice('KMS', 'kms', 'others', 'requests', 10_000, [unlimited, 0.03]),
  logGigabyte: definePrice('CloudWatch', 'cloudwatch', 'others', 'GB of logs written', 1, [unlimited, 0.5]),
  logGigabyteKept: definePrice('CloudWatch', 'cloudwatch', 'others', 'GB of logs kept', 1, [unlimited, 0.03]),
  alarm: definePrice('CloudWatch', 'cloudwatch', 'others', 'metrics of alarms', 1, [unlimited, 0.1]),
  dashboard: definePrice('CloudWatch', 'cloudwatch', 'others', 'dashboards', 1, [unlimited, 3]),
  metric: definePrice('CloudWatch', 'cloudwatch', 'others', 'metrics of our own', 1, [unlimited, 0.3]),
  event: definePrice('EventBridge', 'eventbridge', 'no', 'events of S3', million, [unlimited, 1]),
  ownEvent: definePrice('EventBridge', 'eventbridge', 'no', 'events of our own', million, [unlimited, 1]),
  queueRequest: definePrice('SQS', 'sqs', 'others', 'requests', million, [unlimited, 0.4]),
  user: definePrice('Cognito', 'cognito', 'others', 'users who sign in', 1, [unlimited, 0.015]),
  gigabyteOut: definePrice(
    'Data transfer',
    'ec2/on-demand',
    'others',
    'GB out',
    1,
    [10e3, 0.09],
    [50e3, 0.085],
    [150e3, 0.07],
    [unlimited, 0.05],
  ),
  firewall: definePrice('WAF', 'waf', 'others', 'web ACLs', 1, [unlimited, 5]),
  firewallRule: definePrice('WAF', 'waf', 'others', 'rules', 1, [unlimited, 1]),
  firewallRequest: definePrice('WAF', 'waf', 'others', 'requests', million, [unlimited, 0.6]),
} satisfies Record<string, Price>;

export type Meter = keyof typeof prices;

/** Monthly quantity of each meter. */
export type Usage = Partial<Record<Meter, number>>;

/** Returns the price of a month's quantity, in dollars. */
export function getMeterCost(meter: Meter, quantity: number): number {
  const { per, tiers } = prices[meter];
  let total = 0;
  let from = 0;
  for (const [upTo, usd] of tiers) {
    total += (Math.max(0, Math.min(quantity, upTo) - from) * usd) / per;
    from = upTo;
  }
  return total;
}

/** Returns the sum of usages, each multiplied by its factor. */
export function sumUsages(...parts: [usage: Usage, times: number][]): Usage {
  const total: Usage = {};
  for (const [usage, times] of parts) {
    for (const [meter, quantity] of Object.entries(usage) as [Meter, number][]) {
      total[meter] = (total[meter] ?? 0) + quantity * times;
    }
  }
  return total;
}

/** Returns the price of a month's usage, in dollars. */
export const getCost = (usage: Usage): number =>
  (Object.entries(usage) as [Meter, number][]).reduce(
    (total, [meter, quantity]) => total + getMeterCost(meter, quantity),
    0,
  );
