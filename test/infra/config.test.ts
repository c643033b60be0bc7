import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environments, getSettings, toStackName } from '../../infra/config.ts';
import { maxEnvironmentNameLength, Settings } from '../../infra/settings.ts';
import { toFunctionName } from '../../infra/stacks/api/service-function.ts';
import { nonRouteFunctions } from '../../infra/stacks/non-route-functions.ts';
import type { Route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';
import { scopes } from '../../shared/scopes.ts';
import { buildStacks } from '../support/stacks.ts';

const prod = getSettings('prod');

/** Lists the faults of an environment `own` with prod's settings, except for `different`. */
function listFaults(different: Record<string, unknown>): string[] {
  try {
    getSettings('own', { own: { ...prod, ...different } });
  } catch (error) {
    const [heading, ...faults] = (error as Error).message.split('\n- ');
    expect(heading).toBe('The environment own cannot be deployed. Fix it in infra/config.ts:');
    return faults;
  }
  return [];
}

/** Builds the stacks of an environment with prod's settings, except for `different`. */
const buildChanged = (different: Partial<Settings>) => buildStacks('own', { ...prod, ...different });

const getVariables = ({ getFunction }: ReturnType<typeof buildStacks>, id: string) =>
  getFunction(id).Properties.Environment.Variables;

const oidc = { kind: 'oidc', issuer: 'https://id.example.com/', audience: 'voice' } as const;
const domain = {
  name: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b',
};

describe('an environment', () => {
  test.each(Object.keys(environments))('is valid as delivered: %s', (name) => {
    expect(getSettings(name)).toEqual(environments[name]);
  });

  test.each(['production', '', 'Prod', '__proto__'])(
    'cannot have the unknown name %j: the error lists the known names',
    (unknown) => {
      expect(() => getSettings(unknown)).toThrow(
        `No environment is called "${unknown}": choose one of dev, staging, prod`,
      );
    },
  );

  test("keeps function names within AWS's limit of 64 characters", () => {
    const name = toStackName('e'.repeat(maxEnvironmentNameLength));
    const names = [...routes.map(({ id }) => id), ...nonRouteFunctions].map((id) => toFunctionName(name, id));
    expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(64);
  });

  test.each(['Staging', 'a_b', '1st', 'ä', 'production-of-us', 'on-aws'])('cannot be called %j', (odd) => {
    expect(() => getSettings(odd, { [odd]: prod })).toThrow(/lowercase letters/);
  });

  test('is rejected with a list of all faults: field, requirement and actual value', () => {
    expect(
      listFaults({
        identity: { ...oidc, issuer: 'http://id.example.com', audience: undefined },
        corsOrigins: ['https://app.example.com', 'https://app.example.com/'],
        throttle: { rate: 0, burst: 10 },
        waf: 'on',
        retian: true,
      }),
    ).toEqual([
      'identity.issuer must be an https address, but is "http://id.example.com"',
      'identity.audience is missing',
      'corsOrigins.1 must be an origin: https://, a host and no path, such as https://app.example.com, but is "https://app.example.com/"',
      'throttle.rate must be a whole number of requests a second from 1 to 10,000, but is 0',
      'waf must be true or false, but is "on"',
      'Unknown setting `retian`: fix its name or remove it',
    ]);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['a short account', { account: '12345' }, /^account must be the twelve digits/],
    ['an account that is a number', { account: 123456789012 }, /^account .* in quotes, but is 123456789012$/],
    ['a region that is a city', { region: 'Frankfurt' }, /^region must be an AWS region/],
    ['a domain with a scheme', { domain: { ...domain, name: 'https://api.example.com' } }, /^domain.name must be/],
    ['a domain without certificate', { domain: { name: domain.name } }, /^domain.certificateArn is missing$/],
    [
      'a hosted zone given by its name',
      { domain: { ...domain, hostedZoneId: 'example.com' } },
      /^domain.hostedZoneId must/,
    ],
    [
      'a certificate of another region',
      { region: 'eu-west-1', domain },
      /^domain.certificateArn must be in the same region/,
    ],
    ['a missing kind of issuer', { identity: { issuer: 'https://id.example.com' } }, /^identity.kind/],
    [
      'an issuer without a scheme',
      { identity: { ...oidc, issuer: 'id.example.com' }, console: { clientId: 'spa' } },
      /^identity.issuer must be an https/,
    ],
    [
      'a key set over http',
      { identity: { ...oidc, jwksUri: 'http://id.example.com/keys' }, console: { clientId: 'spa' } },
      /^identity.jwksUri must be an/,
    ],
    ['any origin', { corsOrigins: ['*'] }, /^corsOrigins.0 must be an origin/],
    [
      'an origin in a form that browsers never send',
      { corsOrigins: ['https://App.example.com:443'] },
      /^corsOrigins.0 must/,
    ],
    [
      'a fractional number of requests',
      { throttle: { rate: 1, burst: 1.5 } },
      /^throttle.burst must be a whole number/,
    ],
    ['a machine client without a user', { machineClients: { worker: '' } }, /^machineClients.worker must be the sub/],
    ['an empty claim', { workspaces: { claim: '' } }, /^workspaces.claim must be the name of a claim/],
    [
      'a pattern that is no regular expression',
      { workspaces: { claim: 'groups', pattern: '(?<workspace>' } },
      /^workspaces.pattern must be a regular expression with the group/,
    ],
    [
      'a pattern without the workspace',
      { workspaces: { claim: 'groups', pattern: 'ws-(\\w+)' } },
      /^workspaces.pattern must be a regular expression with the group/,
    ],
    [
      'roles that no claim names',
      { workspaces: { claim: 'groups', pattern: 'ws-(?<workspace>\\w+)', roles: { admin: 'all' } } },
      /^workspaces must name each role by roleClaim, or by the group/,
    ],
    [
      'a role that JavaScript would sort first',
      { workspaces: { claim: 'org_id', roleClaim: 'org_role', roles: { 1: 'all' } } },
      /^workspaces.roles.1 must be named by a letter/,
    ],
    [
      'an unknown scope',
      { workspaces: { claim: 'org_id', roleClaim: 'org_role', roles: { admin: ['everything'] } } },
      /^workspaces.roles.admin.* must be "all" or a list of read, write/,
    ],
    [
      'a default tier that does not exist',
      { quotas: { defaultTier: 'gold', tiers: { free: {} } } },
      /^quotas must have defaultTier among its tiers/,
    ],
    [
      'a default tier that every object has',
      { quotas: { defaultTier: 'toString', tiers: { free: {} } } },
      /^quotas must have defaultTier among its tiers/,
    ],
    ['tiers without a default', { quotas: { tiers: { free: {} } } }, /^quotas.defaultTier is missing/],
    [
      'an unknown quota',
      { quotas: { defaultTier: 'free', tiers: { free: { calls: 1 } } } },
      /^Unknown setting `quotas.tiers.free.calls`/,
    ],
    [
      'a limit that is not a number of requests',
      { quotas: { defaultTier: 'free', tiers: { free: { completions: -1 } } } },
      /^quotas.tiers.free.completions must be a whole number of requests a day from 0 to 1,000,000,000, but is -1$/,
    ],
    [
      'a tier that JavaScript would sort first',
      { quotas: { defaultTier: '1', tiers: { 1: {} } } },
      /^quotas.tiers.1 must be named by a letter/,
    ],
    [
      'more tiers than fit into an environment variable',
      { quotas: { defaultTier: 't0', tiers: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`t${i}`, {}])) } },
      /^quotas.tiers must have at most ten tiers/,
    ],
    [
      'a limit per token below the minimum of AWS WAF',
      { throttle: { rate: 1, burst: 1, perToken: 9 } },
      /^throttle.perToken must be a whole number of requests in five minutes from 10 /,
    ],
    [
      'a limit per token without the firewall',
      { waf: false, throttle: { rate: 1, burst: 1, perToken: 10 } },
      /^throttle may have perToken only with waf/,
    ],
    ['a lone surrogate', { machineClients: { worker: '\ud800' } }, /^machineClients.worker must be the sub/],
    [
      'a file size above the maximum',
      { knowledgeBases: { ...prod.knowledgeBases, maxUploadMb: 51 } },
      /from 5 to 50, but is 51$/,
    ],
    [
      'more attachments than the maximum',
      { knowledgeBases: { ...prod.knowledgeBases, maxAttached: 51 } },
      /from 1 to 50, but is 51$/,
    ],
    [
      'a language that cannot be read',
      { knowledgeBases: { ...prod.knowledgeBases, ocrLanguages: ['en', 'tlh'] } },
      /^knowledgeBases.ocrLanguages.1 must be one of en, de, .*, but is "tlh"$/,
    ],
    [
      'a concurrency below the minimum of SQS',
      { knowledgeBases: { ...prod.knowledgeBases, maxConcurrency: 1 } },
      /^knowledgeBases.maxConcurrency must be .* from 2 to 1,000, but is 1$/,
    ],
    [
      'a log retention that CloudWatch does not offer',
      { logRetentionDays: 8 },
      /^logRetentionDays must be one of 1, 3, 5, 7/,
    ],
    [
      'a transcript retention of half a day',
      { transcriptRetentionDays: 0.5 },
      /^transcriptRetentionDays must be a whole number/,
    ],
    [
      'a transcript retention that is not a number',
      { transcriptRetentionDays: Number.NaN },
      /^transcriptRetentionDays must/,
    ],
    ['an invalid email address', { alarms: { emails: ['on call'] } }, /^alarms.emails.0 must be an email address/],
    [
      'eleven email addresses',
      { alarms: { emails: Array(11).fill('a@example.com') } },
      /^alarms.emails must have at most ten/,
    ],
    ['a budget of $0', { budget: { dollarsAMonth: 0 } }, /^budget.dollarsAMonth must be a whole number of dollars/],
    [
      'a budget with an invalid email address',
      { budget: { dollarsAMonth: 1, emails: ['me'] } },
      /^budget.emails.0 must be an/,
    ],
    ['a topic given by its name', { alarms: { topicArns: ['alarms'] } }, /^alarms.topicArns.0 must be the ARN/],
    ['an unknown kind of release', { releases: 'blue-green' }, /^releases must be "canary" or "all-at-once"/],
    ['a tag with the prefix aws:', { tags: { 'aws:team': 'voice' } }, /^tags.aws:team must have 1 to 128/],
    ['a tag with a comma', { tags: { team: 'voice, and more' } }, /^tags.team must have 0 to 256/],
  ])('is rejected for %s', (_, different, fault) => {
    expect(listFaults(different)).toEqual([expect.stringMatching(fault)]);
  });

  test('is rejected if the console client is also the audience, because the API would accept ID tokens', () => {
    const fault = expect.stringMatching(/^console must have a clientId other than identity.audience/);
    for (const console of [{}, { clientId: 'voice' }]) expect(listFaults({ identity: oidc, console })).toEqual([fault]);
    const pool = { ...oidc, issuer: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_a' };
    expect(listFaults({ identity: pool, console: {} })).toEqual([]);
  });

  test('accepts every valid setting', () => {
    expect(
      listFaults({
        account: '123456789012',
        region: 'eu-central-1',
        domain: { ...domain, hostedZoneId: 'Z0123456789ABC' },
        identity: { ...oidc, jwksUri: 'https://keys.example.com/' },
        console: { clientId: 'spa' },
        corsOrigins: ['http://localhost:3000', 'https://app.example.com'],
        machineClients: { worker: 'alice' },
        knowledgeBases: { maxUploadMb: 5, maxAttached: 1, maxConcurrency: 1_000, ocrLanguages: ['ko', 'zh-Hant'] },
        throttle: { rate: 1, burst: 1, perToken: 10 },
        quotas: { tierClaim: 'plan', defaultTier: 'free', tiers: { free: { completions: 0 }, pro: {} } },
        transcriptRetentionDays: 36_500,
        budget: { dollarsAMonth: 1_000_000, emails: ['bills@example.com'] },
        alarms: { emails: ['on-call@example.com'], topicArns: ['arn:aws:sns:eu-central-1:123456789012:alarms'] },
        tags: { 'cost-center': 'Größe 7' },
      }),
    ).toEqual([]);
  });
});

describe('the configuration', () => {
  test('can name any OIDC issuer, and then has no user pool', () => {
    const stacks = buildChanged({ identity: oidc });
    expect([...stacks.storage.resources, ...stacks.api.resources].filter(({ Type }) => /Cognito/.test(Type))).toEqual(
      [],
    );
    expect(getVariables(stacks, 'protected/check')).toMatchObject({
      ISSUER: 'https://id.example.com/',
      AUDIENCES: 'voice',
      JWKS_URI: 'https://id.example.com/.well-known/jwks.json',
    });
  });

  test("can set the address of the issuer's keys", () => {
    const stacks = buildChanged({ identity: { ...oidc, jwksUri: 'https://keys.example.com/' } });
    expect(getVariables(stacks, 'protected/check').JWKS_URI).toBe('https://keys.example.com/');
  });

  test('passes the transcript retention to the functions and to S3', () => {
    const getLifecycleRules = ({ storage }: ReturnType<typeof buildStacks>) =>
      storage.getOnly<{ LifecycleConfiguration: { Rules: object[] } }>('AWS::S3::Bucket').Properties
        .LifecycleConfiguration.Rules;
    const stacks = buildChanged({ transcriptRetentionDays: 30 });
    expect(getVariables(stacks, 'logs/create').TRANSCRIPT_DAYS).toBe('30');
    expect(getLifecycleRules(stacks)).toContainEqual({
      ExpirationInDays: 30,
      Prefix: 'transcripts/',
      Status: 'Enabled',
    });
    expect(JSON.stringify(getLifecycleRules(buildChanged({})))).not.toContain('transcripts/');
  });

  test('passes the languages of scans to the functions that take uploads', () => {
    const stacks = buildChanged({ knowledgeBases: { ...prod.knowledgeBases, ocrLanguages: ['ko', 'en'] } });
    for (const id of ['knowledge-bases/create', 'knowledge-bases/create-upload', 'knowledge-bases/create-attached'])
      expect(getVariables(stacks, id).OCR_LANGUAGES).toBe('ko,en');
    expect(getVariables(stacks, 'assistants/get')).not.toHaveProperty('OCR_LANGUAGES');
  });

  test('passes the maximum file size and number of attachments to the functions', () => {
    const stacks = buildChanged({ knowledgeBases: { ...prod.knowledgeBases, maxUploadMb: 20, maxAttached: 10 } });
    expect(getVariables(stacks, 'knowledge-bases/create-upload').MAX_UPLOAD_MB).toBe('20');
    for (const id of ['assistants/update', 'knowledge-bases/attach', 'knowledge-bases/create-attached'])
      expect(getVariables(stacks, id).MAX_ATTACHED).toBe('10');
  });

  test('tags every resource that supports tags', () => {
    const { storage, api, ingestion } = buildChanged({ tags: { 'cost-center': '7' } });
    for (const type of ['AWS::S3::Bucket', 'AWS::KMS::Key', 'AWS::Lambda::Function', 'AWS::SQS::Queue']) {
      const found = [storage, api, ingestion].flatMap((stack) => stack.list<{ Tags: object[] }>(type));
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

describe('docs/configuration.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');

  /** Returns a setting as rows of the table, one for each of its fields. */
  const flattenFields = (field: string, value: unknown): [string, string][] => {
    if (typeof value !== 'object') return [[field, String(value)]];
    if (Array.isArray(value)) return [[field, value.join(', ') || '–']];
    const inner = Object.entries(value ?? {});
    return inner.length === 0
      ? [[field, '{}']]
      : inner.flatMap(([name, one]) => flattenFields(`${field}.${name}`, one));
  };

  test.each(Object.keys(Settings.entries))('lists the value of every environment: %s', (setting) => {
    const cells = Object.values(environments).map((settings) => {
      const value = settings[setting as keyof Settings];
      return new Map(value === undefined ? [[setting, '–']] : flattenFields(setting, value));
    });
    const fields = new Set(cells.flatMap((fields) => [...fields.keys()]));
    if (fields.size > 1) fields.delete(setting); // unset in some environments
    for (const field of fields) {
      expect(page).toContain(`| \`${field}\` | ${cells.map((fields) => fields.get(field) ?? '–').join(' | ')} |`);
    }
  });
});

describe('workspaces', () => {
  const workspaces: Settings['workspaces'] = {
    claim: 'cognito:groups',
    pattern: 'ws-(?<workspace>\\w+)-(?<role>\\w+)',
    roles: { viewer: ['read'], admin: 'all' },
  };

  test('reach every route, with the scopes of each role', () => {
    const { WORKSPACES } = getVariables(buildChanged({ workspaces }), 'assistants/get');
    expect(JSON.parse(String(WORKSPACES))).toEqual({ ...workspaces, roles: { viewer: ['read'], admin: scopes } });
  });

  test('that are unset leave no trace', () => {
    expect(getVariables(buildChanged({}), 'assistants/get')).not.toHaveProperty('WORKSPACES');
  });
});

describe('quotas', () => {
  const quotas = { tierClaim: 'plan', defaultTier: 'free', tiers: { free: { completions: 5 }, pro: {} } };
  const withTiers = ['api-keys/create', 'api-keys/rotate', 'protected/check'];

  test('reach the routes that count or show them, and no others', () => {
    const stacks = buildChanged({ quotas });
    const counting = (routes as readonly Route[]).filter(({ quota }) => quota).map(({ id }) => id);
    const reached = routes.map(({ id }) => id).filter((id) => 'QUOTAS' in getVariables(stacks, id));
    expect(reached.toSorted()).toEqual([...counting, ...withTiers].toSorted());
    expect(JSON.parse(String(getVariables(stacks, 'completions/create').QUOTAS))).toEqual(quotas);
  });

  test('that are unset leave no trace', () => {
    expect(getVariables(buildChanged({}), 'completions/create')).not.toHaveProperty('QUOTAS');
  });

  test('fit into the environment of a function, with the most tiers and the longest names', () => {
    const limits = { completions: 1e9, search_answers: 1e9, tool_calls: 1e9, web_calls: 1e9, uploads: 1e9 };
    const tiers = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`${'t'.repeat(39)}${i}`, limits]));
    const defaultTier = Object.keys(tiers)[0] ?? '';
    const variables = getVariables(buildChanged({ quotas: { defaultTier, tiers } }), 'completions/create');
    expect(JSON.stringify(variables).length).toBeLessThan(4_096);
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
  const getBudget = (different: Partial<Settings>) =>
    buildChanged(different).monitoring.getOnly<Budget>('AWS::Budgets::Budget').Properties;
  const listNotifications = ({ NotificationsWithSubscribers = [] }: Budget) =>
    NotificationsWithSubscribers.map(({ Notification: { NotificationType, Threshold }, Subscribers }) => [
      `${NotificationType} ${Threshold}`,
      ...Subscribers.map(({ SubscriptionType, Address }) => `${SubscriptionType} ${Address}`),
    ]);

  test.each(Object.entries(environments))('exists in every environment: %s', (name, settings) => {
    const { Budget } = buildStacks(name, settings).monitoring.getOnly<Budget>('AWS::Budgets::Budget').Properties;
    expect(Budget).toMatchObject({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 50, Unit: 'USD' },
      CostTypes: { IncludeCredit: false, IncludeRefund: false },
    });
  });

  test('covers the whole account and has a generated name', () => {
    const { Budget } = getBudget({});
    expect(Budget).not.toHaveProperty('CostFilters');
    expect(Budget).not.toHaveProperty('BudgetName');
  });

  test('notifies its own addresses at 50 %, at 100 % and when the forecast exceeds it', () => {
    const budget = { dollarsAMonth: 9, emails: ['a@example.com', 'b@example.com'] };
    const alarms = { emails: ['c@example.com'] };
    const both = ['EMAIL a@example.com', 'EMAIL b@example.com'];
    expect(listNotifications(getBudget({ budget, alarms }))).toEqual([
      ['ACTUAL 50', ...both],
      ['ACTUAL 100', ...both],
      ['FORECASTED 100', ...both],
    ]);
  });

  test('falls back to the addresses of the alarms, and notifies no one if there are none', () => {
    const budget = { dollarsAMonth: 9 };
    const [first] = listNotifications(getBudget({ budget, alarms: { emails: ['c@example.com'] } }));
    expect(first).toEqual(['ACTUAL 50', 'EMAIL c@example.com']);
    expect(getBudget({ budget, alarms: {} })).not.toHaveProperty('NotificationsWithSubscribers');
  });

  test('is optional', () => {
    expect(buildChanged({ budget: undefined }).monitoring.list('AWS::Budgets::Budget')).toEqual([]);
  });
});

describe('a custom domain', () => {
  const stacks = buildChanged({ region: 'eu-central-1', domain: { ...domain, hostedZoneId: 'Z0123456789ABC' } });
  const named = stacks.api.getOnly('AWS::ApiGateway::DomainName');

  test('is regional, requires TLS 1.2 and maps to the stage', () => {
    expect(named.Properties).toMatchObject({
      DomainName: 'api.example.com',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      RegionalCertificateArn: domain.certificateArn,
      SecurityPolicy: 'TLS_1_2',
    });
    const { Properties } = stacks.api.getOnly('AWS::ApiGateway::BasePathMapping');
    expect(Properties).toMatchObject({
      DomainName: { Ref: named.id },
      RestApiId: { Ref: stacks.api.getOnly('AWS::ApiGateway::RestApi').id },
      Stage: { Ref: stacks.api.getOnly('AWS::ApiGateway::Stage').id },
    });
    // A base path would change the paths of the routes and of Location headers.
    expect(Properties).not.toHaveProperty('BasePath');
  });

  test('appears in the outputs, with the target of its DNS record', () => {
    expect(stacks.storage.outputs.Url?.Value).toBe('https://api.example.com/');
    expect(JSON.stringify(stacks.storage.outputs.DomainTarget?.Value)).toContain('RegionalDomainName');
  });

  test('has a DNS record only if its hosted zone is set', () => {
    expect(stacks.api.getOnly('AWS::Route53::RecordSet').Properties).toMatchObject({
      Name: 'api.example.com',
      Type: 'A',
      HostedZoneId: 'Z0123456789ABC',
      AliasTarget: {
        DNSName: { 'Fn::GetAtt': [named.id, 'RegionalDomainName'] },
        HostedZoneId: { 'Fn::GetAtt': [named.id, 'RegionalHostedZoneId'] },
      },
    });
    expect(buildChanged({ domain }).api.list('AWS::Route53::RecordSet')).toEqual([]);
  });

  test('is optional', () => {
    const { api, storage } = buildChanged({});
    expect(api.list('AWS::ApiGateway::DomainName')).toEqual([]);
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
  const { api, resolveValue } = buildChanged({ waf: true, throttle: { rate: 40, burst: 50 } });
  const acl = api.getOnly<Acl>('AWS::WAFv2::WebACL');
  const [rate, reputation, common, all, ...others] = acl.Properties.Rules;

  test('protects the stage and allows requests that no rule blocks', () => {
    const { ResourceArn, WebACLArn } = api.getOnly<Record<string, unknown>>('AWS::WAFv2::WebACLAssociation').Properties;
    expect(resolveValue(WebACLArn)).toBe(`${acl.id}.Arn`);
    expect(JSON.stringify(ResourceArn)).toContain(`{"Ref":"${api.getOnly('AWS::ApiGateway::Stage').id}"}`);
    expect(acl.Properties.DefaultAction).toEqual({ Allow: {} });
  });

  test('limits one address to half of the total rate', () => {
    expect(rate?.Statement.RateBasedStatement).toEqual({
      AggregateKeyType: 'IP',
      EvaluationWindowSec: 300,
      Limit: 40 * 150,
    });
  });

  test('limits all requests together, after the other rules, so that blocked requests do not count', () => {
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

  test('limits one token or API key if that is set, however its header is spelled', () => {
    const throttle = { rate: 40, burst: 80, perToken: 600 };
    const { Rules } = buildChanged({ waf: true, throttle }).api.getOnly<Acl>('AWS::WAFv2::WebACL').Properties;
    expect(Rules.map(({ Name, Priority }) => [Name, Priority])).toEqual([
      ['RateOfAddress', 0],
      ['RateOfToken', 1],
      ['AWSManagedRulesAmazonIpReputationList', 2],
      ['AWSManagedRulesCommonRuleSet', 3],
      ['RateOfAll', 4],
    ]);
    expect(Rules[1]?.Statement.RateBasedStatement).toEqual({
      AggregateKeyType: 'CUSTOM_KEYS',
      CustomKeys: [
        {
          Header: {
            Name: 'authorization',
            TextTransformations: [
              { Priority: 0, Type: 'COMPRESS_WHITE_SPACE' },
              { Priority: 1, Type: 'LOWERCASE' },
            ],
          },
        },
      ],
      EvaluationWindowSec: 300,
      Limit: 600,
    });
    expect(Rules[1]?.Action).toEqual(Rules[0]?.Action);
  });

  test("keeps every limit above AWS's minimum", () => {
    const slow = buildChanged({ waf: true, throttle: { rate: 1, burst: 1 } }).api.getOnly<Acl>('AWS::WAFv2::WebACL');
    const limits = slow.Properties.Rules.map(({ Statement }) => Statement.RateBasedStatement?.Limit ?? Infinity);
    expect(Math.min(...limits)).toBeGreaterThanOrEqual(10);
  });

  test.each([
    ['one address', rate, '300'],
    ['all together', all, '60'],
  ])("answers excess requests of %s like the gateway's own 429", (_, rule, seconds) => {
    const { ResponseCode, ResponseHeaders, CustomResponseBodyKey = '' } = rule?.Action?.Block.CustomResponse ?? {};
    expect(ResponseCode).toBe(429);
    expect(Object.fromEntries((ResponseHeaders ?? []).map(({ Name, Value }) => [Name, Value]))).toEqual({
      'retry-after': seconds,
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After, x-request-id',
    });
    const throttled = api
      .list<{ ResponseType: string; ResponseTemplates: Record<string, string> }>('AWS::ApiGateway::GatewayResponse')
      .find(({ Properties }) => Properties.ResponseType === 'THROTTLED');
    expect(acl.Properties.CustomResponseBodies[CustomResponseBodyKey]?.Content).toBe(
      throttled?.Properties.ResponseTemplates['application/json'],
    );
  });

  test('uses the IP reputation and common rules, but inspects no body, because a body may be a document', () => {
    expect([reputation?.Name, common?.Name]).toEqual([
      'AWSManagedRulesAmazonIpReputationList',
      'AWSManagedRulesCommonRuleSet',
    ]);
    const overrides = common?.Statement.ManagedRuleGroupStatement?.RuleActionOverrides ?? [];
    expect(overrides.map(({ Name }) => Name)).toContain('SizeRestrictions_BODY');
    for (const { Name, ActionToUse } of overrides)
      expect([Name, ActionToUse]).toEqual([expect.stringMatching(/_BODY$/), { Count: {} }]);
  });

  test('keeps no request samples, because they contain tokens', () => {
    for (const { VisibilityConfig } of acl.Properties.Rules)
      expect(VisibilityConfig.SampledRequestsEnabled).toBe(false);
  });

  test('is optional', () => {
    const without = buildChanged({ waf: false }).api.resources.filter(({ Type }) => /WAF/.test(Type));
    expect(without).toEqual([]);
  });
});
