import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildCostsPage, exampleWorkloads } from '../../infra/commands/cost/costs-page.ts';
import { estimateEndpoints } from '../../infra/commands/cost/endpoints.ts';
import { getIdleUsage, subtractAlwaysFree } from '../../infra/commands/cost/idle.ts';
import { getCost, getMeterCost, sumUsages } from '../../infra/commands/cost/prices.ts';
import { listQuotas, listSharedQuotas } from '../../infra/commands/cost/quotas.ts';
import { getIdleCost } from '../../infra/commands/cost/report.ts';
import { buildScalePage } from '../../infra/commands/cost/scale-page.ts';
import { synthesizeStack } from '../../infra/commands/cost/templates.ts';
import { defaultWorkload, getMonthlyUsage, scaleToUsers } from '../../infra/commands/cost/workload.ts';
import { routes } from '../../shared/routes/index.ts';

const dev = synthesizeStack('dev');
const prod = synthesizeStack('prod');

const large = exampleWorkloads['As large as the internet'];

test('docs/costs.md and docs/scale.md are current (else run npm run cost -- --write)', () => {
  expect(readFileSync('docs/costs.md', 'utf8')).toBe(buildCostsPage());
  expect(readFileSync('docs/scale.md', 'utf8')).toBe(buildScalePage(large, prod));
});

test('users are billed only if they sign in at the user pool of the stack', () => {
  const identity = { kind: 'oidc', issuer: 'https://id.example', audience: 'voice' } as const;
  const ownProvider = { ...prod, settings: { ...prod.settings, identity } };
  const [pool, own] = [prod, ownProvider].map((stack) => getMonthlyUsage(defaultWorkload, stack).user);
  expect([pool, own]).toEqual([defaultWorkload.users, 0]);
  const listSignIns = (stack: typeof prod) =>
    listQuotas(defaultWorkload, stack).filter(({ name }) => name.startsWith('Sign-ins'));
  expect([listSignIns(prod), listSignIns(ownProvider)].map(({ length }) => length)).toEqual([1, 0]);
});

describe('a price', () => {
  test('is proportional to the quantity', () => {
    expect(getMeterCost('keyRequest', 25_000)).toBeCloseTo(0.075);
  });

  test('applies each tier only to the quantity within it', () => {
    expect(getMeterCost('gatewayRequest', 333e6)).toBeCloseTo(1_165.5);
    expect(getMeterCost('gatewayRequest', 433e6)).toBeCloseTo(1_165.5 + 280);
  });

  test('of a sum is the sum of the prices, within one tier', () => {
    const usage = sumUsages([{ key: 1, readUnit: 1e6 }, 2], [{ key: 1 }, 3]);
    expect(usage).toEqual({ key: 5, readUnit: 2e6 });
    expect(getCost(usage)).toBeCloseTo(5.25);
  });
});

describe('the idle cost', () => {
  test('is at most $2 a month for dev alone in its account, and $10 for prod without its web ACL', () => {
    expect(getIdleCost(dev).afterAlwaysFree).toBeLessThanOrEqual(2);
    expect(getIdleCost(prod).listPrice).toBeLessThanOrEqual(10);
  });

  const getMonthlyCost = (Type: string, Properties = {}) => {
    const usage = getIdleUsage({ ...dev, resources: [{ Type, Properties }] });
    return getCost(usage);
  };

  test('includes the keys, alarms, dashboards and web ACLs of the templates', () => {
    expect(getMonthlyCost('AWS::KMS::Key')).toBe(1);
    expect(getMonthlyCost('AWS::CloudWatch::Alarm', { MetricName: 'Errors' })).toBe(0.1);
    const metrics = [{ MetricStat: {} }, { MetricStat: {} }, { Expression: 'a + b' }];
    expect(getMonthlyCost('AWS::CloudWatch::Alarm', { Metrics: metrics })).toBe(0.2);
    expect(getMonthlyCost('AWS::CloudWatch::Dashboard')).toBe(3);
    expect(getMonthlyCost('AWS::WAFv2::WebACL', { Rules: [{}, {}] })).toBe(7);
    expect(getIdleUsage(prod).key).toBe(1);
    expect(getMonthlyCost('AWS::Budgets::Budget')).toBe(0);
  });

  test('excludes metric filters, because they create no metric until a log line matches', () => {
    expect(getMonthlyCost('AWS::Logs::MetricFilter', { MetricTransformations: [{}] })).toBe(0);
  });

  test("subtracts AWS's permanent free tier, but never goes below zero", () => {
    const free = subtractAlwaysFree({ queueRequest: 1_500_000, alarm: 4, key: 2 });
    expect(free).toEqual({ queueRequest: 500_000, alarm: 0, key: 2 });
  });

  test('rejects a resource type without a price', () => {
    expect(() => getMonthlyCost('AWS::EC2::NatGateway')).toThrow('No idle price for AWS::EC2::NatGateway');
  });
});

describe('a monthly bill', () => {
  test('charges calls by their measured usage', () => {
    const none = { ...defaultWorkload, calls: 0, assistants: 0, documents: 0, users: 0, months: 0 };
    expect(getCost(getMonthlyUsage(none, dev))).toBe(0);
    const usage = getMonthlyUsage({ ...none, calls: 1_000, searches: 0 }, dev);
    // Each call reads the configuration and saves its log. Both requests look up the API key and write an event.
    expect(usage).toMatchObject({
      gatewayRequest: 2_000,
      ownEvent: 2_000,
      readUnit: 12_000,
      writeUnit: 15_000,
      keyRequest: 3_000,
    });
    expect(usage).toMatchObject({ fileStored: 1_000, event: 1_000 });
  });

  test('includes the requests to the web ACL', () => {
    const guarded = { ...dev, resources: [...dev.resources, { Type: 'AWS::WAFv2::WebACL', Properties: {} }] };
    const { firewallRequest, gatewayRequest } = getMonthlyUsage(defaultWorkload, guarded);
    expect(firewallRequest).toBe(gatewayRequest);
    expect(firewallRequest).toBeGreaterThan(0);
  });

  test('lists quotas by usage, the most used first', () => {
    const shares = listQuotas(defaultWorkload, prod).map(({ used, limit }) => (used / limit).toPrecision(6));
    expect(shares).toEqual(shares.toSorted((a, b) => Number(b) - Number(a)));
  });

  test("lists our own limits first: the firewall's for all requests, the stage's for the busiest method", () => {
    const listOwnLimits = (deployment: typeof prod) =>
      listQuotas(defaultWorkload, deployment).filter(({ remedy }) => remedy === '`throttle` in infra/config.ts');
    const [firewall, ofProd] = listOwnLimits(prod);
    const [stage, ...others] = listOwnLimits(dev);
    expect(firewall?.name).toBe('Requests a second, the limit of the firewall');
    expect(listQuotas(defaultWorkload, prod)[0]).toEqual(firewall);
    expect([stage?.name, others]).toEqual(['Requests a second to one method, the throttle of the stage', []]);
    expect(stage).toEqual(ofProd);
    expect([firewall?.limit, stage?.limit]).toEqual([100, 100]);
    // Each call sends three requests, each to another method.
    const calls = { ...defaultWorkload, assistants: 0, documents: 0, users: 0 };
    const used = (deployment: typeof prod) =>
      listQuotas(calls, deployment).find(({ name }) => name.startsWith('Requests'));
    expect(used(prod)?.used).toBeCloseTo((3 * defaultWorkload.calls * defaultWorkload.peak) / 2_592_000);
    expect(used(dev)?.used).toBeCloseTo((defaultWorkload.calls * defaultWorkload.peak) / 2_592_000);
  });
});

describe('a million users', () => {
  const million = scaleToUsers(large, 1e6);

  test('each cause the same usage', () => {
    expect(million).toMatchObject({ users: 1e6, calls: 6e9, assistants: 2e7, views: large.views, peak: large.peak });
  });

  test('reach a quota at the number of users that the report states', () => {
    const [first] = listSharedQuotas(million, prod).slice(2); // skips our own two limits, which a setting raises
    const then = scaleToUsers(large, (1e6 * (first?.limit ?? 0)) / (first?.used ?? 0));
    const share = listSharedQuotas(then, prod).find(({ name }) => name === first?.name);
    expect(share?.used).toBeCloseTo(share?.limit ?? 0);
  });

  test('have documents ingested by as many functions in parallel as the template allows', () => {
    const documents = listSharedQuotas(million, prod).find(({ name }) => name === 'Documents ingested at once');
    expect(documents?.limit).toBe(10);
    // Each user uploads four documents a month. Parsing takes three seconds, and the peak is five times the average.
    expect(documents?.used).toBeCloseTo((4e6 / 2_592_000) * 3 * 5);
  });

  test('call every endpoint, and each endpoint reaches a quota at some number of users', () => {
    const endpoints = estimateEndpoints(million, prod);
    expect(endpoints.map(({ request }) => request.route).sort()).toEqual(routes.map(({ id }) => id).sort());
    expect(
      endpoints.every(({ users, singleUserRate }) => users > 0 && Number.isFinite(users) && singleUserRate > 0),
    ).toBe(true);
    const users = endpoints.map((one) => one.users);
    expect(users).toEqual(users.toSorted((one, other) => one - other));
  });
});
