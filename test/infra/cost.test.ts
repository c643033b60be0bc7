import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endpointsOf } from '../../infra/cost/endpoints.ts';
import { beyondFree, idleUsage } from '../../infra/cost/idle.ts';
import { millionPage } from '../../infra/cost/million.ts';
import { page, sizes } from '../../infra/cost/page.ts';
import { bill, dollars, sum } from '../../infra/cost/prices.ts';
import { quotasOf, sharedQuotasOf } from '../../infra/cost/quotas.ts';
import { idleCost } from '../../infra/cost/report.ts';
import { deploymentOf } from '../../infra/cost/templates.ts';
import { asManyUsers, usageIn, usual } from '../../infra/cost/workload.ts';
import { routes } from '../../shared/routes/index.ts';

const dev = deploymentOf('dev');
const prod = deploymentOf('prod');

const large = sizes['As large as the internet'];

test('docs/costs.md and docs/scale.md are what npm run cost -- --write writes', () => {
  expect(readFileSync('docs/costs.md', 'utf8')).toBe(page());
  expect(readFileSync('docs/scale.md', 'utf8')).toBe(millionPage(large, prod));
});

describe('a price', () => {
  test('is for so many', () => {
    expect(dollars('keyRequest', 25_000)).toBeCloseTo(0.075);
  });

  test('has tiers, each for what lies in it', () => {
    expect(dollars('gatewayRequest', 333e6)).toBeCloseTo(1_165.5);
    expect(dollars('gatewayRequest', 433e6)).toBeCloseTo(1_165.5 + 280);
  });

  test('of sums is the sum of prices, within a tier', () => {
    const usage = sum([{ key: 1, readUnit: 1e6 }, 2], [{ key: 1 }, 3]);
    expect(usage).toEqual({ key: 5, readUnit: 2e6 });
    expect(bill(usage)).toBeCloseTo(5.25);
  });
});

describe('while nobody calls', () => {
  test('dev is at most $1.50 a month where it is alone, prod at most $10 besides its web ACL', () => {
    expect(idleCost(dev).alone).toBeLessThanOrEqual(1.5);
    expect(idleCost(prod).usual).toBeLessThanOrEqual(10);
  });

  const withResource = (Type: string, Properties = {}) => {
    const usage = idleUsage({ ...dev, resources: [{ Type, Properties }] });
    return bill(usage);
  };

  test('keys, alarms, dashboards and web ACLs are billed, as the templates have them', () => {
    expect(withResource('AWS::KMS::Key')).toBe(1);
    expect(withResource('AWS::CloudWatch::Alarm', { MetricName: 'Errors' })).toBe(0.1);
    const metrics = [{ MetricStat: {} }, { MetricStat: {} }, { Expression: 'a + b' }];
    expect(withResource('AWS::CloudWatch::Alarm', { Metrics: metrics })).toBe(0.2);
    expect(withResource('AWS::CloudWatch::Dashboard')).toBe(3);
    expect(withResource('AWS::WAFv2::WebACL', { Rules: [{}, {}] })).toBe(7);
    expect(idleUsage(prod).key).toBe(1);
    expect(withResource('AWS::Budgets::Budget')).toBe(0);
  });

  test('a metric filter is not billed: it has no metric until something matches', () => {
    expect(withResource('AWS::Logs::MetricFilter', { MetricTransformations: [{}] })).toBe(0);
  });

  test('what AWS gives each account for good counts where it is alone, and no further', () => {
    const free = beyondFree({ queueRequest: 1_500_000, alarm: 4, key: 2 });
    expect(free).toEqual({ queueRequest: 500_000, alarm: 0, key: 2 });
  });

  test('nothing is forgotten: what has no price here is refused', () => {
    expect(() => withResource('AWS::EC2::NatGateway')).toThrow('What does AWS::EC2::NatGateway cost while it idles?');
  });
});

describe('a month', () => {
  test('of calls is billed by what each of them is measured to take', () => {
    const none = { ...usual, calls: 0, assistants: 0, documents: 0, users: 0, months: 0 };
    expect(bill(usageIn(none, dev))).toBe(0);
    const usage = usageIn({ ...none, calls: 1_000, searches: 0 }, dev);
    // A read of the configuration and a save, each with a lookup of the API key.
    expect(usage).toMatchObject({ gatewayRequest: 2_000, readUnit: 9_000, writeUnit: 8_000, keyRequest: 3_000 });
    expect(usage).toMatchObject({ fileStored: 1_000, event: 1_000 });
  });

  test('of a deployment with a web ACL is billed for that as well', () => {
    const guarded = { ...dev, resources: [...dev.resources, { Type: 'AWS::WAFv2::WebACL', Properties: {} }] };
    const { firewallRequest, gatewayRequest } = usageIn(usual, guarded);
    expect(firewallRequest).toBe(gatewayRequest);
    expect(firewallRequest).toBeGreaterThan(0);
  });

  test('meets first the quota that it comes nearest to', () => {
    const shares = quotasOf(usual, prod).map(({ used, limit }) => used / limit);
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  });

  test('meets our own limits first: of the firewall by all requests, of the stage by those to the busiest method', () => {
    const ours = (deployment: typeof prod) =>
      quotasOf(usual, deployment).filter(({ wayOut }) => wayOut === '`throttle` in infra/config.ts');
    const [firewall, ofProd] = ours(prod);
    const [stage, ...others] = ours(dev);
    expect(firewall?.name).toBe('Requests a second, the limit of the firewall');
    expect(quotasOf(usual, prod)[0]).toEqual(firewall);
    expect([stage?.name, others]).toEqual(['Requests a second to one method, the throttle of the stage', []]);
    expect(stage).toEqual(ofProd);
    expect([firewall?.limit, stage?.limit]).toEqual([100, 100]);
    // Each call is three requests, and one to each of their methods.
    const calls = { ...usual, assistants: 0, documents: 0, users: 0 };
    const used = (deployment: typeof prod) =>
      quotasOf(calls, deployment).find(({ name }) => name.startsWith('Requests'));
    expect(used(prod)?.used).toBeCloseTo((3 * usual.calls * usual.peak) / 2_592_000);
    expect(used(dev)?.used).toBeCloseTo((usual.calls * usual.peak) / 2_592_000);
  });
});

describe('users, very many of them', () => {
  const million = asManyUsers(large, 1e6);

  test('do what each did', () => {
    expect(million).toMatchObject({ users: 1e6, calls: 6e9, assistants: 2e7, views: large.views, peak: large.peak });
  });

  test('meet a quota at the number of users that they are told', () => {
    const [first] = sharedQuotasOf(million, prod).slice(2); // our own two, a setting, are raised
    const then = asManyUsers(large, (1e6 * (first?.limit ?? 0)) / (first?.used ?? 0));
    const share = sharedQuotasOf(then, prod).find(({ name }) => name === first?.name);
    expect(share?.used).toBeCloseTo(share?.limit ?? 0);
  });

  test('have documents read by as many functions at once as the template says', () => {
    const documents = sharedQuotasOf(million, prod).find(({ name }) => name === 'Documents read at once');
    expect(documents?.limit).toBe(10);
    // Four a month each, of three seconds, and five times as many in the busiest second.
    expect(documents?.used).toBeCloseTo((4e6 / 2_592_000) * 3 * 5);
  });

  test('ask every endpoint, each of which meets a quota some time', () => {
    const endpoints = endpointsOf(million, prod);
    expect(endpoints.map(({ request }) => request.route).sort()).toEqual(routes.map(({ id }) => id).sort());
    expect(endpoints.every(({ users, alone }) => users > 0 && Number.isFinite(users) && alone > 0)).toBe(true);
    const users = endpoints.map((one) => one.users);
    expect(users).toEqual(users.toSorted((one, other) => one - other));
  });
});
