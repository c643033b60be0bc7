import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { getSettings } from '../../infra/config.ts';
import type { Settings } from '../../infra/settings.ts';
import { queryNames } from '../../infra/stacks/monitoring/queries.ts';
import { routes } from '../../shared/routes/index.ts';
import { getAlarms } from '../support/alarms.ts';
import { reviewStacks, StackTemplate, synthesizeStacks } from '../support/stacks.ts';

function buildChanged(name: string, changes: Partial<Settings> = {}) {
  const { service } = synthesizeStacks(name, { ...getSettings(name), ...changes });
  const toTemplate = (stack: Stack) => new StackTemplate(Template.fromStack(stack));
  return {
    api: toTemplate(service.api),
    routeStacks: [service.api, ...Object.values(service.routeStacks)].map(toTemplate),
    ingestion: toTemplate(service.ingestion),
    monitoring: toTemplate(service.monitoring),
  };
}

const prod = buildChanged('prod');
const dev = buildChanged('dev');
const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

describe('alarms', () => {
  const alarms = getAlarms('prod', getSettings('prod'));

  it('are exactly those that docs/operations.md describes', () => {
    const documented = [...page.matchAll(/^### `([a-z-]+)`$/gm)].map(([, kind]) => kind);
    const made = [...alarms.keys()].map((name) => /release-\w+$/.exec(name)?.[0] ?? name);
    expect([...new Set(made)].toSorted()).toEqual(documented.toSorted());
  });

  it('stay quiet without data, and need more than one bad period unless they watch dead letters', () => {
    for (const [name, alarm] of alarms) {
      expect([name, alarm.TreatMissingData]).toEqual([name, 'notBreaching']);
      if (!['dead-letters', 'dead-documents'].includes(name)) expect(alarm.DatapointsToAlarm).toBeGreaterThan(1);
    }
  });

  it('are at most three more than the free tier of ten, except for those of canaries', () => {
    const service = [...alarms.keys()].filter((name) => !name.includes('-release-'));
    expect(service.length).toBeLessThanOrEqual(13);
    for (const alarm of alarms.values()) expect(alarm).not.toHaveProperty('Metrics'); // AWS bills each metric of an expression
  });

  it('exist only if configured', () => {
    expect(getAlarms('dev', getSettings('dev'))).toEqual(new Map());
    expect(dev.monitoring.list('AWS::Logs::MetricFilter')).toEqual([]);
  });

  it('notify the configured topics when they go off and when they recover', () => {
    const topicArns = ['arn:aws:sns:us-east-1:111111111111:pager'];
    for (const [name, alarm] of getAlarms('prod', { ...getSettings('prod'), alarms: { topicArns } })) {
      if (name.includes('-release-')) continue; // only CodeDeploy uses these
      expect([alarm.AlarmActions, alarm.OKActions]).toEqual([topicArns, topicArns]);
    }
  });

  it('send email through a topic that accepts only these alarms, over TLS', () => {
    const { monitoring } = buildChanged('prod', { alarms: { emails: ['ops@example.com'] } });
    const topic = monitoring.getOnly('AWS::SNS::Topic').id;
    expect(monitoring.getOnly('AWS::SNS::Subscription').Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'ops@example.com',
      TopicArn: { Ref: topic },
    });
    const { PolicyDocument } = monitoring.getOnly<{ PolicyDocument: { Statement: object[] } }>(
      'AWS::SNS::TopicPolicy',
    ).Properties;
    expect(PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      expect.objectContaining({ Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' } }),
    ]);
    expect(JSON.stringify(PolicyDocument)).toContain(':alarm:voice-assistants-prod-*');
  });

  it('count 429 responses in the access log', () => {
    const filter = prod.monitoring.getOnly<{ FilterPattern: string }>('AWS::Logs::MetricFilter').Properties;
    expect(filter).toMatchObject({ FilterPattern: '{ $.status = "429" }' });
    const stage = prod.api.getOnly<{ AccessLogSetting: { Format: string } }>('AWS::ApiGateway::Stage').Properties;
    expect(JSON.parse(stage.AccessLogSetting.Format)).toMatchObject({
      status: '$context.status',
      environment: '$context.stage',
    });
  });
});

describe('the dashboard', () => {
  interface Widget {
    type: string;
    properties: { markdown?: string; metrics?: unknown[] };
  }
  const toText = (name: string, value: unknown): string =>
    typeof value === 'string'
      ? value
      : (value as { 'Fn::Join': [string, unknown[]] })['Fn::Join'][1]
          .map((part) => (typeof part === 'string' ? part : name))
          .join('');
  const { DashboardBody } = prod.monitoring.getOnly<{ DashboardBody: unknown }>(
    'AWS::CloudWatch::Dashboard',
  ).Properties;
  const { widgets }: { widgets: Widget[] } = JSON.parse(toText('name', DashboardBody));

  it('has a row for each route', () => {
    const titles = widgets.map(({ properties }) => properties.markdown ?? '');
    for (const { id, method, path } of routes) expect(titles).toContain(`### ${id} — ${method} ${path}`);
  });

  it("is within CloudWatch's limits: 500 widgets, 2,500 metrics", () => {
    expect(widgets.length).toBeLessThan(500);
    expect(widgets.flatMap(({ properties }) => properties.metrics ?? []).length).toBeLessThan(2_500);
  });

  it('exists only if configured', () => {
    expect(dev.monitoring.list('AWS::CloudWatch::Dashboard')).toEqual([]);
  });
});

describe('saved queries', () => {
  const queries = prod.monitoring.list<{ Name: string; LogGroupNames: unknown[] }>('AWS::Logs::QueryDefinition');

  it('are those that docs/operations.md names', () => {
    const named = [...page.matchAll(/“([a-z ]+)”/g)].map(([, name]) => name);
    expect([...new Set(named)].toSorted()).toEqual(queryNames.toSorted());
    const saved = queries.map(({ Properties }) => Properties.Name.replace(/, part \d$/, ''));
    expect([...new Set(saved)].toSorted()).toEqual(
      queryNames.map((name) => `voice-assistants-prod/${name}`).toSorted(),
    );
  });

  it("search the logs of all functions, in parts within CloudWatch's limit of 50 log groups", () => {
    const groups = [...prod.routeStacks, prod.ingestion].flatMap((stack) =>
      stack.list<{ LogGroupName?: string }>('AWS::Logs::LogGroup').map(({ Properties }) => Properties.LogGroupName),
    );
    const functions = groups.filter((name) => name !== undefined);
    const parts = queries.filter(({ Properties }) => Properties.Name.includes('slowest requests'));
    const searched = parts.map(({ Properties }) => Properties.LogGroupNames);
    expect(searched.flat().toSorted()).toEqual(functions.toSorted());
    expect(Math.max(...searched.map(({ length }) => length))).toBeLessThanOrEqual(50);
  });
});

describe('releases', () => {
  interface Alias {
    FunctionName: unknown;
    FunctionVersion: unknown;
    Name: string;
  }
  const listAliases = (stack: StackTemplate) => stack.list<Alias>('AWS::Lambda::Alias');
  const listFunctions = (stack: StackTemplate) => stack.list<{ Description: string }>('AWS::Lambda::Function');

  it.each([
    ['prod', prod],
    ['dev', dev],
  ])('retain published versions, each behind an alias that callers use: %s', (_, { routeStacks, ingestion }) => {
    for (const stack of [...routeStacks, ingestion]) {
      const live = listAliases(stack);
      expect(live.length).toBe(listFunctions(stack).length);
      for (const { Properties } of live) expect(Properties.Name).toBe('live');
      for (const { DeletionPolicy, UpdateReplacePolicy } of stack.list('AWS::Lambda::Version'))
        expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
    }
    const targets = ingestion
      .list<{ FunctionName: unknown }>('AWS::Lambda::EventSourceMapping')
      .map(({ Properties }) => /"Ref":"(\w+)"/.exec(JSON.stringify(Properties.FunctionName))?.[1]);
    expect(targets.toSorted()).toEqual(
      listAliases(ingestion)
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  const listCanaries = ({ api }: typeof prod) =>
    listAliases(api)
      .filter(({ UpdatePolicy }) => UpdatePolicy)
      .map(({ Properties }) =>
        listFunctions(api).find(({ id }) => JSON.stringify(Properties.FunctionName).includes(id)),
      )
      .map((found) => found?.Properties.Description);

  it('are canaries for the routes that calls depend on in prod, and immediate otherwise', () => {
    const routes = ['assistants/call-tool', 'assistants/runtime-config', 'assistants/start-call', 'logs/create'];
    expect(listCanaries(prod).toSorted()).toEqual(routes);
    expect(listCanaries(dev)).toEqual([]);
    expect(dev.api.resources.filter(({ Type }) => /CodeDeploy/.test(Type))).toEqual([]);
  });

  it('roll back automatically when an alarm of the route goes off', () => {
    prod.api.getOnly('AWS::CodeDeploy::Application');
    const groups = prod.api.list<{ AlarmConfiguration: { Alarms: { Name: { Ref: string } }[] } }>(
      'AWS::CodeDeploy::DeploymentGroup',
    );
    for (const { Properties } of groups) {
      expect(Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AutoRollbackConfiguration: { Enabled: true, Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'] },
        AlarmConfiguration: { Enabled: true },
      });
      const names = Properties.AlarmConfiguration.Alarms.map(({ Name }) => Name.Ref);
      const alarms = prod.api
        .list<{ AlarmName: string }>('AWS::CloudWatch::Alarm')
        .filter(({ id }) => names.includes(id));
      const kinds = alarms.map(({ Properties: { AlarmName } }) => /release-\w+$/.exec(AlarmName)?.[0]);
      expect(kinds.toSorted()).toEqual(['release-crashes', 'release-faults', 'release-latency']);
    }
  });
});

describe('tracing', () => {
  const traced = buildChanged('prod', { tracing: true });
  const listTracingModes = ({ api }: typeof prod) =>
    api
      .list<{ TracingConfig?: { Mode: string } }>('AWS::Lambda::Function')
      .map(({ Properties }) => Properties.TracingConfig?.Mode);

  it('is off by default, and covers the gateway and all functions if configured', () => {
    expect(new Set(listTracingModes(dev))).toEqual(new Set([undefined]));
    expect(new Set(listTracingModes(traced))).toEqual(new Set(['Active']));
    expect(traced.api.getOnly('AWS::ApiGateway::Stage').Properties).toMatchObject({ TracingEnabled: true });
  });

  it('adds no policy, only permissions to the policy of each role', () => {
    expect(traced.api.list('AWS::IAM::Policy')).toEqual([]);
    for (const { Properties } of traced.ingestion.list('AWS::IAM::Role'))
      expect(JSON.stringify(Properties)).toContain('xray:PutTraceSegments');
    expect(JSON.stringify(prod.api.list('AWS::IAM::Role'))).not.toContain('xray');
  });
});

it('passes cdk-nag with every setting on', () => {
  const alarms = { emails: ['ops@example.com'], topicArns: ['arn:aws:sns:us-east-1:111111111111:pager'] };
  const budget = { dollarsAMonth: 50, emails: ['bills@example.com'] };
  reviewStacks('prod', { ...getSettings('prod'), alarms, budget, tracing: true });
});
