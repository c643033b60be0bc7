import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environments, settingsOf, stackNameOf } from '../../infra/config.ts';
import { functionNameOf } from '../../infra/endpoint.ts';
import { noRoutes } from '../../infra/no-routes.ts';
import { maxName, Settings } from '../../infra/settings.ts';
import { routes } from '../../shared/routes/index.ts';
import { build } from '../support/stacks.ts';

const prod = settingsOf('prod');

/** What is said of an environment `own` that is as prod but for this. */
function faultsOf(different: Record<string, unknown>): string[] {
  try {
    settingsOf('own', { own: { ...prod, ...different } });
  } catch (error) {
    const [heading, ...faults] = (error as Error).message.split('\n- ');
    expect(heading).toBe('The environment own cannot be deployed. Mend it in infra/config.ts:');
    return faults;
  }
  return [];
}

/** Prod, but for this. */
const changed = (different: Partial<Settings>) => build('own', { ...prod, ...different });

const variablesOf = ({ functionOf }: ReturnType<typeof build>, id: string) =>
  functionOf(id).Properties.Environment.Variables;

const oidc = { kind: 'oidc', issuer: 'https://id.example.com/', audience: 'voice' } as const;
const domain = {
  name: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b',
};

describe('an environment', () => {
  test.each(Object.keys(environments))('can be deployed as it comes: %s', (name) => {
    expect(settingsOf(name)).toEqual(environments[name]);
  });

  test.each(['production', '', 'Prod', '__proto__'])('is not called %j, and it is said which there are', (unknown) => {
    expect(() => settingsOf(unknown)).toThrow(
      `No environment is called "${unknown}": choose one of dev, staging, prod`,
    );
  });

  test('has room in the names of its functions, of which AWS takes 64 characters', () => {
    const name = stackNameOf('e'.repeat(maxName));
    const names = [...routes.map(({ id }) => id), ...noRoutes].map((id) => functionNameOf(name, id));
    expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(64);
  });

  test.each(['Staging', 'a_b', '1st', 'ä', 'production-of-us', 'on-aws'])('cannot be called %j', (odd) => {
    expect(() => settingsOf(odd, { [odd]: prod })).toThrow(/small letters/);
  });

  test('is refused with all its faults, each by its field, what it must be and what it is', () => {
    expect(
      faultsOf({
        identity: { ...oidc, issuer: 'http://id.example.com', audience: undefined },
        corsOrigins: ['https://app.example.com', 'https://app.example.com/'],
        throttle: { rate: 0, burst: 10 },
        waf: 'on',
        retian: true,
      }),
    ).toEqual([
      'identity.issuer must be an https address, and is "http://id.example.com"',
      'identity.audience is missing',
      'corsOrigins.1 must be an origin: https://, a host and no path, as https://app.example.com, and is "https://app.example.com/"',
      'throttle.rate must be a whole number of requests a second from 1 to 10,000, and is 0',
      'waf must be true or false, and is "on"',
      'retian is no setting: mend its name, or remove it',
    ]);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['a short account', { account: '12345' }, /^account must be the twelve digits/],
    ['an account that is a number', { account: 123456789012 }, /^account .* in quotes, and is 123456789012$/],
    ['a region that is a place', { region: 'Frankfurt' }, /^region must be an AWS region/],
    ['a domain with its scheme', { domain: { ...domain, name: 'https://api.example.com' } }, /^domain.name must be/],
    ['a domain without certificate', { domain: { name: domain.name } }, /^domain.certificateArn is missing$/],
    ['a zone that is a name', { domain: { ...domain, hostedZoneId: 'example.com' } }, /^domain.hostedZoneId must/],
    [
      'a certificate of elsewhere',
      { region: 'eu-west-1', domain },
      /^domain.certificateArn must be in the same region/,
    ],
    ['no kind of issuer', { identity: { issuer: 'https://id.example.com' } }, /^identity.kind/],
    [
      'an issuer without scheme',
      { identity: { ...oidc, issuer: 'id.example.com' }, console: { clientId: 'spa' } },
      /^identity.issuer must be an https/,
    ],
    [
      'keys over http',
      { identity: { ...oidc, jwksUri: 'http://id.example.com/keys' }, console: { clientId: 'spa' } },
      /^identity.jwksUri must be an/,
    ],
    ['any origin', { corsOrigins: ['*'] }, /^corsOrigins.0 must be an origin/],
    ['an origin as browsers never write it', { corsOrigins: ['https://App.example.com:443'] }, /^corsOrigins.0 must/],
    ['half a request', { throttle: { rate: 1, burst: 1.5 } }, /^throttle.burst must be a whole number/],
    ['a client that acts as nobody', { machineClients: { worker: '' } }, /^machineClients.worker must be the sub/],
    ['half a character', { machineClients: { worker: '\ud800' } }, /^machineClients.worker must be the sub/],
    [
      'larger files than there may be',
      { knowledgeBases: { ...prod.knowledgeBases, maxUploadMb: 51 } },
      /from 5 to 50, and is 51$/,
    ],
    [
      'more attached than there may be',
      { knowledgeBases: { ...prod.knowledgeBases, maxAttached: 51 } },
      /from 1 to 50, and is 51$/,
    ],
    [
      'fewer readers of documents than SQS takes',
      { knowledgeBases: { ...prod.knowledgeBases, maxConcurrency: 1 } },
      /^knowledgeBases.maxConcurrency must be .* from 2 to 1,000, and is 1$/,
    ],
    ['logs for eight days', { logRetentionDays: 8 }, /^logRetentionDays must be one of 1, 3, 5, 7/],
    ['transcripts for half a day', { transcriptRetentionDays: 0.5 }, /^transcriptRetentionDays must be a whole number/],
    ['transcripts for no number of days', { transcriptRetentionDays: Number.NaN }, /^transcriptRetentionDays must/],
    ['mail to nobody', { alarms: { emails: ['on call'] } }, /^alarms.emails.0 must be an address/],
    ['mail to eleven', { alarms: { emails: Array(11).fill('a@example.com') } }, /^alarms.emails must have at most ten/],
    [
      'a budget of nothing',
      { budget: { dollarsAMonth: 0 } },
      /^budget.dollarsAMonth must be a whole number of dollars/,
    ],
    ['a budget told to nobody', { budget: { dollarsAMonth: 1, emails: ['me'] } }, /^budget.emails.0 must be an/],
    ['a topic that is a name', { alarms: { topicArns: ['alarms'] } }, /^alarms.topicArns.0 must be the ARN/],
    ['another way to release', { releases: 'blue-green' }, /^releases must be "canary" or "all-at-once"/],
    ['a tag of AWS', { tags: { 'aws:team': 'voice' } }, /^tags.aws:team must have 1 to 128/],
    ['a tag with a comma', { tags: { team: 'voice, and more' } }, /^tags.team must have 0 to 256/],
  ])('is refused for %s', (_, different, fault) => {
    expect(faultsOf(different)).toEqual([expect.stringMatching(fault)]);
  });

  test('is refused where its console is the client that tokens are for: the API would take ID tokens', () => {
    const fault = expect.stringMatching(/^console must name a client, clientId, that is not identity.audience/);
    for (const console of [{}, { clientId: 'voice' }]) expect(faultsOf({ identity: oidc, console })).toEqual([fault]);
    const pool = { ...oidc, issuer: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_a' };
    expect(faultsOf({ identity: pool, console: {} })).toEqual([]);
  });

  test('takes what it may be told', () => {
    expect(
      faultsOf({
        account: '123456789012',
        region: 'eu-central-1',
        domain: { ...domain, hostedZoneId: 'Z0123456789ABC' },
        identity: { ...oidc, jwksUri: 'https://keys.example.com/' },
        console: { clientId: 'spa' },
        corsOrigins: ['http://localhost:3000', 'https://app.example.com'],
        machineClients: { worker: 'alice' },
        knowledgeBases: { maxUploadMb: 5, maxAttached: 1, maxConcurrency: 1_000 },
        transcriptRetentionDays: 36_500,
        budget: { dollarsAMonth: 1_000_000, emails: ['bills@example.com'] },
        alarms: { emails: ['on-call@example.com'], topicArns: ['arn:aws:sns:eu-central-1:123456789012:alarms'] },
        tags: { 'cost-center': 'Größe 7' },
      }),
    ).toEqual([]);
  });
});

describe('the configuration', () => {
  test('may name any OIDC issuer, which needs no user pool', () => {
    const stacks = changed({ identity: oidc });
    expect([...stacks.storage.resources, ...stacks.api.resources].filter(({ Type }) => /Cognito/.test(Type))).toEqual(
      [],
    );
    expect(variablesOf(stacks, 'protected/check')).toMatchObject({
      ISSUER: 'https://id.example.com/',
      AUDIENCES: 'voice',
      JWKS_URI: 'https://id.example.com/.well-known/jwks.json',
    });
  });

  test("may say where the issuer's keys are", () => {
    const stacks = changed({ identity: { ...oidc, jwksUri: 'https://keys.example.com/' } });
    expect(variablesOf(stacks, 'protected/check').JWKS_URI).toBe('https://keys.example.com/');
  });

  test('says how long transcripts are kept, to the functions and to S3', () => {
    const rulesOf = ({ storage }: ReturnType<typeof build>) =>
      storage.one<{ LifecycleConfiguration: { Rules: object[] } }>('AWS::S3::Bucket').Properties.LifecycleConfiguration
        .Rules;
    const stacks = changed({ transcriptRetentionDays: 30 });
    expect(variablesOf(stacks, 'logs/create').TRANSCRIPT_DAYS).toBe('30');
    expect(rulesOf(stacks)).toContainEqual({ ExpirationInDays: 30, Prefix: 'transcripts/', Status: 'Enabled' });
    expect(JSON.stringify(rulesOf(changed({})))).not.toContain('ExpirationInDays');
  });

  test('says how large a file may be, and how many knowledge bases an assistant may have', () => {
    const stacks = changed({ knowledgeBases: { ...prod.knowledgeBases, maxUploadMb: 20, maxAttached: 10 } });
    expect(variablesOf(stacks, 'knowledge-bases/create-upload').MAX_UPLOAD_MB).toBe('20');
    for (const id of ['assistants/update', 'knowledge-bases/attach', 'knowledge-bases/create-attached'])
      expect(variablesOf(stacks, id).MAX_ATTACHED).toBe('10');
  });

  test('tags everything that takes tags', () => {
    const { storage, api, ingestion } = changed({ tags: { 'cost-center': '7' } });
    for (const type of ['AWS::S3::Bucket', 'AWS::KMS::Key', 'AWS::Lambda::Function', 'AWS::SQS::Queue']) {
      const found = [storage, api, ingestion].flatMap((stack) => stack.all<{ Tags: object[] }>(type));
      expect(found.length).toBeGreaterThan(0);
      for (const { Properties } of found) {
        expect(Properties.Tags).toEqual(
          expect.arrayContaining([
            { Key: 'service', Value: 'voice-assistants' },
            { Key: 'environment', Value: 'own' },
            { Key: 'cost-center', Value: '7' },
          ]),
        );
      }
    }
  });
});

describe('the page about it', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');

  /** A setting as the table names it, field by field where it has fields. */
  const fieldsOf = (field: string, value: unknown): [string, string][] => {
    if (typeof value !== 'object') return [[field, String(value)]];
    if (Array.isArray(value)) return [[field, value.join(', ') || '–']];
    const inner = Object.entries(value ?? {});
    return inner.length === 0 ? [[field, '{}']] : inner.flatMap(([name, one]) => fieldsOf(`${field}.${name}`, one));
  };

  test.each(Object.keys(Settings.entries))('has what every environment sets: %s', (setting) => {
    const cells = Object.values(environments).map((settings) => {
      const value = settings[setting as keyof Settings];
      return new Map(value === undefined ? [[setting, '–']] : fieldsOf(setting, value));
    });
    for (const field of new Set(cells.flatMap((fields) => [...fields.keys()]))) {
      expect(page).toContain(`| \`${field}\` | ${cells.map((fields) => fields.get(field)).join(' | ')} |`);
    }
  });
});

describe('the budget', () => {
  interface Budget {
    Budget: { BudgetName?: string; BudgetLimit: object; CostTypes: object; CostFilters?: object };
    NotificationsWithSubscribers?: {
      Notification: { NotificationType: string; Threshold: number };
      Subscribers: { Address: string; SubscriptionType: string }[];
    }[];
  }
  const budgetWith = (different: Partial<Settings>) =>
    changed(different).monitoring.one<Budget>('AWS::Budgets::Budget').Properties;
  const told = ({ NotificationsWithSubscribers = [] }: Budget) =>
    NotificationsWithSubscribers.map(({ Notification: { NotificationType, Threshold }, Subscribers }) => [
      `${NotificationType} ${Threshold}`,
      ...Subscribers.map(({ SubscriptionType, Address }) => `${SubscriptionType} ${Address}`),
    ]);

  test.each(Object.entries(environments))('is in every environment: %s', (name, settings) => {
    const { Budget } = build(name, settings).monitoring.one<Budget>('AWS::Budgets::Budget').Properties;
    expect(Budget).toMatchObject({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 50, Unit: 'USD' },
      CostTypes: { IncludeCredit: false, IncludeRefund: false },
    });
  });

  test('counts the whole account, under a name that CloudFormation gives', () => {
    const { Budget } = budgetWith({});
    expect(Budget).not.toHaveProperty('CostFilters');
    expect(Budget).not.toHaveProperty('BudgetName');
  });

  test('mails its own addresses of half, of all and of what is expected', () => {
    const budget = { dollarsAMonth: 9, emails: ['a@example.com', 'b@example.com'] };
    const alarms = { emails: ['c@example.com'] };
    const both = ['EMAIL a@example.com', 'EMAIL b@example.com'];
    expect(told(budgetWith({ budget, alarms }))).toEqual([
      ['ACTUAL 50', ...both],
      ['ACTUAL 100', ...both],
      ['FORECASTED 100', ...both],
    ]);
  });

  test('mails the addresses of the alarms unless it has some, and nobody where there are none', () => {
    const budget = { dollarsAMonth: 9 };
    const [first] = told(budgetWith({ budget, alarms: { emails: ['c@example.com'] } }));
    expect(first).toEqual(['ACTUAL 50', 'EMAIL c@example.com']);
    expect(budgetWith({ budget, alarms: {} })).not.toHaveProperty('NotificationsWithSubscribers');
  });

  test('is left out where it is not wanted', () => {
    expect(changed({ budget: undefined }).monitoring.all('AWS::Budgets::Budget')).toEqual([]);
  });
});

describe('a domain of its own', () => {
  const stacks = changed({ region: 'eu-central-1', domain: { ...domain, hostedZoneId: 'Z0123456789ABC' } });
  const named = stacks.api.one('AWS::ApiGateway::DomainName');

  test('is regional, takes TLS 1.2 and later, and leads to the stage', () => {
    expect(named.Properties).toMatchObject({
      DomainName: 'api.example.com',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      RegionalCertificateArn: domain.certificateArn,
      SecurityPolicy: 'TLS_1_2',
    });
    const { Properties } = stacks.api.one('AWS::ApiGateway::BasePathMapping');
    expect(Properties).toMatchObject({
      DomainName: { Ref: named.id },
      RestApiId: { Ref: stacks.api.one('AWS::ApiGateway::RestApi').id },
      Stage: { Ref: stacks.api.one('AWS::ApiGateway::Stage').id },
    });
    // At the root: then paths are as the routes have them, and so is Location.
    expect(Properties).not.toHaveProperty('BasePath');
  });

  test('is the address that is told, and what its DNS record must point to', () => {
    expect(stacks.storage.outputs.Url?.Value).toBe('https://api.example.com/');
    expect(JSON.stringify(stacks.storage.outputs.DomainTarget?.Value)).toContain('RegionalDomainName');
  });

  test('has its record where its zone is given, and else none', () => {
    expect(stacks.api.one('AWS::Route53::RecordSet').Properties).toMatchObject({
      Name: 'api.example.com',
      Type: 'A',
      HostedZoneId: 'Z0123456789ABC',
      AliasTarget: {
        DNSName: { 'Fn::GetAtt': [named.id, 'RegionalDomainName'] },
        HostedZoneId: { 'Fn::GetAtt': [named.id, 'RegionalHostedZoneId'] },
      },
    });
    expect(changed({ domain }).api.all('AWS::Route53::RecordSet')).toEqual([]);
  });

  test('is not needed', () => {
    const { api, storage } = changed({});
    expect(api.all('AWS::ApiGateway::DomainName')).toEqual([]);
    expect(storage.outputs).not.toHaveProperty('DomainTarget');
  });
});

describe('the web ACL', () => {
  interface Rule {
    Name: string;
    Priority: number;
    Action?: {
      Block: {
        CustomResponse: {
          ResponseCode: number;
          CustomResponseBodyKey: string;
          ResponseHeaders: { Name: string; Value: string }[];
        };
      };
    };
    Statement: {
      RateBasedStatement?: { Limit: number };
      ManagedRuleGroupStatement?: { RuleActionOverrides: { Name: string; ActionToUse: object }[] };
    };
    VisibilityConfig: { SampledRequestsEnabled: boolean };
  }
  interface Acl {
    DefaultAction: object;
    Rules: Rule[];
    CustomResponseBodies: Record<string, { Content: string }>;
  }
  const { api, meaning } = changed({ waf: true, throttle: { rate: 40, burst: 50 } });
  const acl = api.one<Acl>('AWS::WAFv2::WebACL');
  const [rate, reputation, common, all, ...others] = acl.Properties.Rules;

  test('stands before the stage, and lets pass what no rule stops', () => {
    const { ResourceArn, WebACLArn } = api.one<Record<string, unknown>>('AWS::WAFv2::WebACLAssociation').Properties;
    expect(meaning(WebACLArn)).toBe(`${acl.id}.Arn`);
    expect(JSON.stringify(ResourceArn)).toContain(`{"Ref":"${api.one('AWS::ApiGateway::Stage').id}"}`);
    expect(acl.Properties.DefaultAction).toEqual({ Allow: {} });
  });

  test('lets one address send half of what all may send', () => {
    expect(rate?.Statement.RateBasedStatement).toEqual({
      AggregateKeyType: 'IP',
      EvaluationWindowSec: 300,
      Limit: 40 * 150,
    });
  });

  test('limits all requests together, after the other rules: what they block does not count', () => {
    expect(all?.Statement.RateBasedStatement).toEqual({
      AggregateKeyType: 'CONSTANT',
      EvaluationWindowSec: 60,
      Limit: 40 * 60,
      ScopeDownStatement: {
        SizeConstraintStatement: {
          FieldToMatch: { UriPath: {} },
          ComparisonOperator: 'GE',
          Size: 0,
          TextTransformations: [{ Priority: 0, Type: 'NONE' }],
        },
      },
    });
    expect(acl.Properties.Rules.map(({ Priority }) => Priority)).toEqual([0, 1, 2, 3]);
    expect(others).toEqual([]);
  });

  test("sets no limit below AWS's least", () => {
    const slow = changed({ waf: true, throttle: { rate: 1, burst: 1 } }).api.one<Acl>('AWS::WAFv2::WebACL');
    const limits = slow.Properties.Rules.map(({ Statement }) => Statement.RateBasedStatement?.Limit ?? Infinity);
    expect(Math.min(...limits)).toBeGreaterThanOrEqual(10);
  });

  test.each([
    ['one address', rate, '300'],
    ['all together', all, '60'],
  ])("answers more of %s as the gateway's own 429", (_, rule, seconds) => {
    const { ResponseCode, ResponseHeaders, CustomResponseBodyKey = '' } = rule?.Action?.Block.CustomResponse ?? {};
    expect(ResponseCode).toBe(429);
    expect(Object.fromEntries((ResponseHeaders ?? []).map(({ Name, Value }) => [Name, Value]))).toEqual({
      'retry-after': seconds,
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After, x-request-id',
    });
    const throttled = api
      .all<{ ResponseType: string; ResponseTemplates: Record<string, string> }>('AWS::ApiGateway::GatewayResponse')
      .find(({ Properties }) => Properties.ResponseType === 'THROTTLED');
    expect(acl.Properties.CustomResponseBodies[CustomResponseBodyKey]?.Content).toBe(
      throttled?.Properties.ResponseTemplates['application/json'],
    );
  });

  test('asks for the repute of addresses, and knows common attacks, but judges no body: it may be a document', () => {
    expect([reputation?.Name, common?.Name]).toEqual([
      'AWSManagedRulesAmazonIpReputationList',
      'AWSManagedRulesCommonRuleSet',
    ]);
    const overrides = common?.Statement.ManagedRuleGroupStatement?.RuleActionOverrides ?? [];
    expect(overrides.map(({ Name }) => Name)).toContain('SizeRestrictions_BODY');
    for (const { Name, ActionToUse } of overrides)
      expect([Name, ActionToUse]).toEqual([expect.stringMatching(/_BODY$/), { Count: {} }]);
  });

  test('keeps no samples of requests: they have tokens', () => {
    for (const { VisibilityConfig } of acl.Properties.Rules)
      expect(VisibilityConfig.SampledRequestsEnabled).toBe(false);
  });

  test('is left out where it is not wanted', () => {
    const without = changed({ waf: false }).api.resources.filter(({ Type }) => /WAF/.test(Type));
    expect(without).toEqual([]);
  });
});
