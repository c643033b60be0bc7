/** Where the figure, of several tiers the first, was seen: on a page of AWS, quoted by others, or nowhere: from memory. */
export type Seen = 'AWS' | 'others' | 'no';

export interface Price {
  service: string;
  what: string;
  /** How many the price is for. */
  per: number;
  /** Dollars for so many of a month up to a quantity, the cheaper ones after it. */
  tiers: [upTo: number, usd: number][];
  /** The page of AWS that has it. */
  source: string;
  seen: Seen;
}

/** When the prices were looked up. */
export const asOf = '2026-11-21';

const million = 1e6;
const pricing = (service: string) => `https://aws.amazon.com/${service}/pricing/`;

const price = (
  service: string,
  page: string,
  seen: Seen,
  what: string,
  per: number,
  ...tiers: [number, number][]
): Price => ({ service, what, per, tiers, source: pricing(page), seen });

const all = Number.POSITIVE_INFINITY;

/**
 * The list prices of us-east-1 in dollars, without any free tier. Gigabytes are of 10^9 bytes, months of 30 days.
 * Logs are reckoned at their first tier, which is too much for a service of many terabytes.
 */
export const prices = {
  gatewayRequest: price(
    'API Gateway',
    'api-gateway',
    'AWS',
    'requests',
    million,
    [333e6, 3.5],
    [1e9, 2.8],
    [20e9, 2.38],
    [all, 1.51],
  ),
  lambdaRequest: price('Lambda', 'lambda', 'others', 'requests', million, [all, 0.2]),
  lambdaSecond: price(
    'Lambda',
    'lambda',
    'others',
    'GB-seconds, arm64',
    1,
    [7.5e9, 0.0000133334],
    [18.75e9, 0.0000120001],
    [all, 0.0000106667],
  ),
  readUnit: price('DynamoDB', 'dynamodb', 'others', 'read units', million, [all, 0.125]),
  writeUnit: price('DynamoDB', 'dynamodb', 'others', 'write units', million, [all, 0.625]),
  tableGigabyte: price('DynamoDB', 'dynamodb', 'AWS', 'GB stored', 1, [all, 0.25]),
  backupGigabyte: price('DynamoDB', 'dynamodb', 'others', 'GB, point-in-time recovery', 1, [all, 0.2]),
  copyGigabyte: price('Backup', 'backup', 'others', 'GB, copies of the table', 1, [all, 0.1]),
  fileStored: price('S3', 's3', 'others', 'PUT', 1_000, [all, 0.005]),
  fileRead: price('S3', 's3', 'others', 'GET', 1_000, [all, 0.0004]),
  fileGigabyte: price('S3', 's3', 'others', 'GB stored', 1, [50e3, 0.023], [500e3, 0.022], [all, 0.021]),
  key: price('KMS', 'kms', 'AWS', 'keys', 1, [all, 1]),
  keyRequest: price('KMS', 'kms', 'others', 'requests', 10_000, [all, 0.03]),
  logGigabyte: price('CloudWatch', 'cloudwatch', 'others', 'GB of logs written', 1, [all, 0.5]),
  logGigabyteKept: price('CloudWatch', 'cloudwatch', 'others', 'GB of logs kept', 1, [all, 0.03]),
  alarm: price('CloudWatch', 'cloudwatch', 'others', 'metrics of alarms', 1, [all, 0.1]),
  dashboard: price('CloudWatch', 'cloudwatch', 'others', 'dashboards', 1, [all, 3]),
  metric: price('CloudWatch', 'cloudwatch', 'others', 'metrics of our own', 1, [all, 0.3]),
  event: price('EventBridge', 'eventbridge', 'no', 'events of S3', million, [all, 1]),
  queueRequest: price('SQS', 'sqs', 'others', 'requests', million, [all, 0.4]),
  user: price('Cognito', 'cognito', 'others', 'users who sign in', 1, [all, 0.015]),
  gigabyteOut: price(
    'Data transfer',
    'ec2/on-demand',
    'others',
    'GB out',
    1,
    [10e3, 0.09],
    [50e3, 0.085],
    [150e3, 0.07],
    [all, 0.05],
  ),
  firewall: price('WAF', 'waf', 'others', 'web ACLs', 1, [all, 5]),
  firewallRule: price('WAF', 'waf', 'others', 'rules', 1, [all, 1]),
  firewallRequest: price('WAF', 'waf', 'others', 'requests', million, [all, 0.6]),
} satisfies Record<string, Price>;

export type Meter = keyof typeof prices;

/** What was used in a month, by what it is billed by. */
export type Usage = Partial<Record<Meter, number>>;

/** The dollars for a month's quantity. */
export function dollars(meter: Meter, quantity: number): number {
  const { per, tiers } = prices[meter];
  let total = 0;
  let from = 0;
  for (const [upTo, usd] of tiers) {
    total += (Math.max(0, Math.min(quantity, upTo) - from) * usd) / per;
    from = upTo;
  }
  return total;
}

/** The sum of usages, each so many times. */
export function sum(...parts: [usage: Usage, times: number][]): Usage {
  const total: Usage = {};
  for (const [usage, times] of parts) {
    for (const [meter, quantity] of Object.entries(usage) as [Meter, number][]) {
      total[meter] = (total[meter] ?? 0) + quantity * times;
    }
  }
  return total;
}

/** The dollars of a month's usage. */
export const bill = (usage: Usage): number =>
  (Object.entries(usage) as [Meter, number][]).reduce(
    (total, [meter, quantity]) => total + dollars(meter, quantity),
    0,
  );
