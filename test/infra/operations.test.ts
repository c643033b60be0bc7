import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../infra/config.ts';
import { queryNames } from '../../infra/queries.ts';
import type { Settings } from '../../infra/settings.ts';
import { routes } from '../../shared/routes/index.ts';
import { alarmsOf } from '../support/alarms.ts';
import { reviewed, Synthesized, synthesized } from '../support/stacks.ts';

function build(name: string, changes: Partial<Settings> = {}) {
  const { service } = synthesized(name, { ...settingsOf(name), ...changes });
  const [api, ingestion, monitoring] = [service.api, service.ingestion, service.monitoring].map(
    (stack) => new Synthesized(Template.fromStack(stack)),
  ) as [Synthesized, Synthesized, Synthesized];
  return { api, ingestion, monitoring };
}

const prod = build('prod');
const dev = build('dev');
const manual = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

describe('alarms', () => {
  const alarms = alarmsOf('prod', settingsOf('prod'));

  it('are each in docs/operations.md, and nothing else is', () => {
    const told = [...manual.matchAll(/^### `([a-z-]+)`$/gm)].map(([, kind]) => kind);
    const made = [...alarms.keys()].map((name) => /release-\w+$/.exec(name)?.[0] ?? name);
    expect([...new Set(made)].toSorted()).toEqual(told.toSorted());
  });

  it('say nothing while nothing happens, and go off by more than one odd period but for a dead letter', () => {
    for (const [name, alarm] of alarms) {
      expect([name, alarm.TreatMissingData]).toEqual([name, 'notBreaching']);
      if (!['dead-letters', 'dead-documents'].includes(name)) expect(alarm.DatapointsToAlarm).toBeGreaterThan(1);
    }
  });

  it('cost at most what the first ten are free of, but for the canaries', () => {
    const service = [...alarms.keys()].filter((name) => !name.includes('-release-'));
    expect(service.length).toBeLessThanOrEqual(10);
    for (const alarm of alarms.values()) expect(alarm).not.toHaveProperty('Metrics'); // each metric of a sum is billed
  });

  it('are only where they are configured', () => {
    expect(alarmsOf('dev', settingsOf('dev'))).toEqual(new Map());
    expect(dev.monitoring.all('AWS::Logs::MetricFilter')).toEqual([]);
  });

  it('tell the topics that are named, when they go off and when all is well again', () => {
    const topicArns = ['arn:aws:sns:us-east-1:111111111111:pager'];
    for (const [name, alarm] of alarmsOf('prod', { ...settingsOf('prod'), alarms: { topicArns } })) {
      if (name.includes('-release-')) continue; // CodeDeploy hears these
      expect([alarm.AlarmActions, alarm.OKActions]).toEqual([topicArns, topicArns]);
    }
  });

  it('tell people by a topic that takes messages by TLS, and from these alarms', () => {
    const { monitoring } = build('prod', { alarms: { emails: ['ops@example.com'] } });
    const topic = monitoring.one('AWS::SNS::Topic').id;
    expect(monitoring.one('AWS::SNS::Subscription').Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'ops@example.com',
      TopicArn: { Ref: topic },
    });
    const { PolicyDocument } = monitoring.one<{ PolicyDocument: { Statement: object[] } }>(
      'AWS::SNS::TopicPolicy',
    ).Properties;
    expect(PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      expect.objectContaining({ Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' } }),
    ]);
    expect(JSON.stringify(PolicyDocument)).toContain(':alarm:voice-assistants-prod-*');
  });

  it('count the answers 429 in the access log', () => {
    const filter = prod.monitoring.one<{ FilterPattern: string }>('AWS::Logs::MetricFilter').Properties;
    expect(filter).toMatchObject({ FilterPattern: '{ $.status = "429" }' });
    const stage = prod.api.one<{ AccessLogSetting: { Format: string } }>('AWS::ApiGateway::Stage').Properties;
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
  const body = (name: string, value: unknown): string =>
    typeof value === 'string'
      ? value
      : (value as { 'Fn::Join': [string, unknown[]] })['Fn::Join'][1]
          .map((part) => (typeof part === 'string' ? part : name))
          .join('');
  const { DashboardBody } = prod.monitoring.one<{ DashboardBody: unknown }>('AWS::CloudWatch::Dashboard').Properties;
  const { widgets }: { widgets: Widget[] } = JSON.parse(body('name', DashboardBody));

  it('has a row for each route', () => {
    const titles = widgets.map(({ properties }) => properties.markdown ?? '');
    for (const { id, method, path } of routes) expect(titles).toContain(`### ${id} — ${method} ${path}`);
  });

  it("is within CloudWatch's limits: 500 widgets, 2,500 metrics", () => {
    expect(widgets.length).toBeLessThan(500);
    expect(widgets.flatMap(({ properties }) => properties.metrics ?? []).length).toBeLessThan(2_500);
  });

  it('is only where it is configured', () => {
    expect(dev.monitoring.all('AWS::CloudWatch::Dashboard')).toEqual([]);
  });
});

describe('saved queries', () => {
  const queries = prod.monitoring.all<{ Name: string; LogGroupNames: unknown[] }>('AWS::Logs::QueryDefinition');

  it('are those that docs/operations.md names', () => {
    const named = [...manual.matchAll(/«([a-z ]+)»/g)].map(([, name]) => name);
    expect([...new Set(named)].toSorted()).toEqual(queryNames.toSorted());
    expect(queries.map(({ Properties }) => Properties.Name).toSorted()).toEqual(
      queryNames.map((name) => `voice-assistants-prod/${name}`).toSorted(),
    );
  });

  it('look into the logs of all functions, of which there may be 50', () => {
    const groups = [prod.api, prod.ingestion].flatMap((stack) =>
      stack.all<{ LogGroupName?: string }>('AWS::Logs::LogGroup').map(({ Properties }) => Properties.LogGroupName),
    );
    const functions = groups.filter((name) => name !== undefined);
    expect(functions.length).toBeLessThanOrEqual(50);
    const [first] = queries;
    expect(first?.Properties.LogGroupNames.toSorted()).toEqual(functions.toSorted());
  });
});

describe('releases', () => {
  interface Alias {
    FunctionName: unknown;
    FunctionVersion: unknown;
    Name: string;
  }
  const aliases = (stack: Synthesized) => stack.all<Alias>('AWS::Lambda::Alias');
  const functions = (stack: Synthesized) => stack.all<{ Description: string }>('AWS::Lambda::Function');

  it.each([
    ['prod', prod],
    ['dev', dev],
  ])('are versions that stay once released, each behind the alias that is called: %s', (_, { api, ingestion }) => {
    for (const stack of [api, ingestion]) {
      const live = aliases(stack);
      expect(live.length).toBe(functions(stack).length);
      for (const { Properties } of live) expect(Properties.Name).toBe('live');
      for (const { DeletionPolicy, UpdateReplacePolicy } of stack.all('AWS::Lambda::Version'))
        expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
    }
    const targets = ingestion
      .all<{ FunctionName: unknown }>('AWS::Lambda::EventSourceMapping')
      .map(({ Properties }) => /"Ref":"(\w+)"/.exec(JSON.stringify(Properties.FunctionName))?.[1]);
    expect(targets.toSorted()).toEqual(
      aliases(ingestion)
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  const canaries = ({ api }: typeof prod) =>
    aliases(api)
      .filter(({ UpdatePolicy }) => UpdatePolicy)
      .map(({ Properties }) => functions(api).find(({ id }) => JSON.stringify(Properties.FunctionName).includes(id)))
      .map((found) => found?.Properties.Description);

  it('are canaries in prod, of the routes that calls depend on, and at once elsewhere', () => {
    expect(canaries(prod).toSorted()).toEqual(['assistants/runtime-config', 'logs/create']);
    expect(canaries(dev)).toEqual([]);
    expect(dev.api.resources.filter(({ Type }) => /CodeDeploy/.test(Type))).toEqual([]);
  });

  it('go back by themselves when an alarm of the route goes off', () => {
    prod.api.one('AWS::CodeDeploy::Application');
    const groups = prod.api.all<{ AlarmConfiguration: { Alarms: { Name: { Ref: string } }[] } }>(
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
        .all<{ AlarmName: string }>('AWS::CloudWatch::Alarm')
        .filter(({ id }) => names.includes(id));
      const kinds = alarms.map(({ Properties: { AlarmName } }) => /release-\w+$/.exec(AlarmName)?.[0]);
      expect(kinds.toSorted()).toEqual(['release-crashes', 'release-faults', 'release-latency']);
    }
  });
});

describe('tracing', () => {
  const traced = build('prod', { tracing: true });
  const modes = ({ api }: typeof prod) =>
    api
      .all<{ TracingConfig?: { Mode: string } }>('AWS::Lambda::Function')
      .map(({ Properties }) => Properties.TracingConfig?.Mode);

  it('is off unless configured, and then on from the gateway to each function', () => {
    expect(new Set(modes(dev))).toEqual(new Set([undefined]));
    expect(new Set(modes(traced))).toEqual(new Set(['Active']));
    expect(traced.api.one('AWS::ApiGateway::Stage').Properties).toMatchObject({ TracingEnabled: true });
  });

  it('needs no policy but the one that each role has', () => {
    expect(traced.api.all('AWS::IAM::Policy')).toEqual([]);
    for (const { Properties } of traced.ingestion.all('AWS::IAM::Role'))
      expect(JSON.stringify(Properties)).toContain('xray:PutTraceSegments');
    expect(JSON.stringify(prod.api.all('AWS::IAM::Role'))).not.toContain('xray');
  });
});

it('has nothing that cdk-nag finds, with every setting on', () => {
  const alarms = { emails: ['ops@example.com'], topicArns: ['arn:aws:sns:us-east-1:111111111111:pager'] };
  const budget = { dollarsAMonth: 50, emails: ['bills@example.com'] };
  reviewed('prod', { ...settingsOf('prod'), alarms, budget, tracing: true });
});
