import * as v from 'valibot';
import { maxQuotaLimit, quotas } from '../shared/quotas.ts';
import { ocrLanguageCodes } from '../shared/reading/languages.ts';
import { maxAttachedKnowledgeBases, maxUploadBytes } from '../shared/schemas/knowledge-base.ts';
import { scopes } from '../shared/scopes.ts';
import { Domain, flag, https, isOrigin, tag, text, wholeNumber } from './settings/fields.ts';
import { listSignInFaults } from './settings/providers.ts';
import { Console } from './stacks/console/settings.ts';
import { UserError } from './terminal/user-error.ts';

/** Issuer of the tokens: a user pool that the stack creates, or any OIDC issuer. */
const Identity = v.variant(
  'kind',
  [
    v.strictObject({
      kind: v.literal('cognito'),
      /** Adds sign-in with Google (docs/sign-in.md). Unset, users sign in with a password of the pool only. */
      google: v.optional(
        v.strictObject({
          clientId: text(/\.apps\.googleusercontent\.com$/, "must be the id of Google's OAuth client"),
          /** Name of a plain-text secret in Secrets Manager that holds the client secret. */
          secretName: text(/^[\w/+=.@-]+$/, 'must be the name of a secret in Secrets Manager'),
        }),
      ),
    }),
    v.strictObject({
      kind: v.literal('oidc'),
      /** `iss` claim of its tokens. */
      issuer: https,
      /** `aud` or `client_id` claim of its tokens. */
      audience: text(/^\S+$/, 'must be the aud, or client_id, that tokens carry'),
      /** Address of its public keys. Defaults to the provider's usual one (providers.ts). */
      jwksUri: v.optional(https),
    }),
  ],
  'must have kind "cognito", or kind "oidc" with issuer and audience',
);

/**
 * True if the issuer is a Cognito user pool. The `client_id` of its access tokens is the app client, and `token_use`
 * distinguishes ID tokens.
 */
const isCognitoPool = (issuer: string): boolean => issuer.startsWith('https://cognito-idp.');

const Throttle = v.strictObject({
  rate: wholeNumber('requests a second', 1, 10_000),
  burst: wholeNumber('requests', 1, 5_000),
  /** Requests in five minutes with one token or API key. Needs the firewall. Unset, only addresses are limited. */
  perToken: v.optional(wholeNumber('requests in five minutes', 10, 2_000_000_000)),
});

/**
 * Limits of knowledge bases, within those of shared/schemas/knowledge-base.ts. Files up to 4 MB, the maximum of the API
 * itself, are always allowed.
 */
const KnowledgeBases = v.strictObject({
  maxUploadMb: wholeNumber('MB', 5, maxUploadBytes / 1_000_000),
  maxAttached: wholeNumber('knowledge bases', 1, maxAttachedKnowledgeBases),
  /** Documents parsed concurrently, each by one of the account's concurrent functions. The minimum of SQS is 2. */
  maxConcurrency: wholeNumber('concurrent documents', 2, 1_000),
  /**
   * Languages that are read in pictures, the most likely first. Each needs its package of data, `@tesseract.js-data/…`
   * (bundle/parser-data.ts).
   */
  ocrLanguages: v.pipe(
    v.array(v.picklist(ocrLanguageCodes, `must be one of ${ocrLanguageCodes.join(', ')}`)),
    v.minLength(1, 'must name at least one language'),
  ),
});

/** True if the text is a regular expression with the named group `workspace`. */
function hasWorkspaceGroup(pattern: string): boolean {
  try {
    return 'workspace' in (new RegExp(`^(?:${pattern})$|`, 'su').exec('')?.groups ?? {});
  } catch {
    return false;
  }
}

/** Teams that share their data, and what their members may do (docs/workspaces.md). */
const Workspaces = v.strictObject({
  /** Claim of the access token with the ids of a person's workspaces: a string, or a list of strings. */
  claim: text(/\S/, 'must be the name of a claim'),
  /** Regular expression that such a text matches as a whole, with the groups `workspace` and, optionally, `role`. */
  pattern: v.optional(text(hasWorkspaceGroup, 'must be a regular expression with the group (?<workspace>…)')),
  /** Claim with the person's role in each of the workspaces, unless `pattern` has the group `role`. */
  roleClaim: v.optional(text(/\S/, 'must be the name of a claim')),
  /** Scopes of each role, or `all`, the weakest role first. Unset, every member may do everything. */
  roles: v.optional(
    v.record(
      text(/^[a-z][\w.:-]*$/i, 'must be named by a letter, then letters, digits and _.:-'),
      v.union(
        [v.literal('all'), v.pipe(v.array(v.picklist(scopes)), v.minLength(1))],
        `must be "all" or a list of ${scopes.join(', ')}`,
      ),
    ),
  ),
});

/** Limits per UTC day, by quota. */
const Tier = v.strictObject(v.entriesFromList(quotas, v.optional(wholeNumber('requests a day', 0, maxQuotaLimit))));

/** Limits of what costs money, by the tier of a user or workspace (docs/quotas.md). */
const Quotas = v.strictObject({
  /** Claim of the access token that names the tier: a string, or a list of strings. Unset, everybody has `defaultTier`. */
  tierClaim: v.optional(text(/\S/, 'must be the name of a claim')),
  /** Tier of everybody whose token names none. */
  defaultTier: v.string(),
  /** Limits of each tier, the lowest tier first. Functions get them all in an environment variable, which has little room. */
  tiers: v.pipe(
    v.record(text(/^[a-z][\w.:-]{0,39}$/i, 'must be named by a letter, then up to 39 letters, digits and _.:-'), Tier),
    v.maxEntries(10, 'must have at most ten tiers'),
  ),
});

/** Email addresses. A budget allows ten. */
const Emails = v.pipe(
  v.array(text(/^[^\s@]+@[^\s@]+$/, 'must be an email address'), 'must be a list of email addresses'),
  v.maxLength(10, 'must have at most ten addresses'),
);

const Budget = v.strictObject({
  dollarsAMonth: wholeNumber('dollars', 1, 1_000_000),
  /** Defaults to the addresses of the alarms. */
  emails: v.optional(Emails),
});

const Alarms = v.strictObject({
  /** Addresses that get the alarms by email, each after it has confirmed AWS's subscription email. */
  emails: v.optional(Emails),
  /** ARNs of existing SNS topics, which must allow CloudWatch to publish. */
  topicArns: v.optional(
    v.array(text(/^arn:[\w-]+:sns:[\w-]+:\d{12}:\S+$/, 'must be the ARN of an SNS topic'), 'must be a list of ARNs'),
  ),
});

/** Retention periods that CloudWatch Logs supports. */
const logRetentionChoices = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/** Settings of one environment. docs/configuration.md lists what each costs. */
export const Settings = v.pipe(
  v.strictObject({
    /** Defaults to the account and region of the CLI's credentials and profile. */
    account: v.optional(text(/^\d{12}$/, 'must be the twelve digits of an AWS account, in quotes')),
    region: v.optional(text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be an AWS region, such as eu-central-1')),
    /** Custom domain of the API. Unset, API Gateway assigns its address. */
    domain: v.optional(Domain),
    identity: Identity,
    /** Web console. Optional. */
    console: v.optional(Console),
    /** Origins of other web apps that call the API from a browser. */
    corsOrigins: v.array(
      text(isOrigin, 'must be an origin: https://, a host and no path, such as https://app.example.com'),
      'must be a list of origins',
    ),
    /**
     * Request limits per method and path. With the firewall, `rate` also limits all requests together. Excess requests
     * get 429.
     */
    throttle: Throttle,
    /** Puts AWS WAF in front of the API (web-acl.ts). */
    waf: flag,
    /** Machine clients of the issuer (client-credentials tokens): client id to the `sub` of the user it acts as. */
    machineClients: v.record(
      v.string(),
      text((sub) => sub !== '' && sub.isWellFormed(), 'must be the sub of the user it acts as'),
    ),
    /** Teams, named by a claim of the issuer. Unset, everybody has a world of their own. */
    workspaces: v.optional(
      v.pipe(
        Workspaces,
        v.check(
          ({ pattern = '', roleClaim, roles }) => !roles || roleClaim !== undefined || pattern.includes('(?<role>'),
          'must name each role by roleClaim, or by the group (?<role>…) of pattern',
        ),
      ),
    ),
    /** Limits of what costs money. Unset, there are none, and nothing is counted. */
    quotas: v.optional(
      v.pipe(
        Quotas,
        v.check(({ defaultTier, tiers }) => Object.hasOwn(tiers, defaultTier), 'must have defaultTier among its tiers'),
      ),
    ),
    knowledgeBases: KnowledgeBases,
    webhooks: v.strictObject({
      /** Groups of ten deliveries that are sent concurrently, each by one of the account's concurrent functions. */
      maxConcurrency: wholeNumber('concurrent functions', 2, 1_000),
    }),
    /**
     * Models of Amazon Bedrock, in the account and region of the stack, that every assistant may use without a key, such as
     * `openai.gpt-oss-120b-1:0`. Unset, none.
     */
    bedrock: v.optional(
      v.strictObject({
        models: v.pipe(
          v.array(
            text(
              /^(?!(?:us|us-gov|eu|apac|jp|au|ca|global)\.)[\w.:-]+$/,
              'must be the id of a model, such as openai.gpt-oss-120b-1:0, and not of an inference profile',
            ),
          ),
          v.minLength(1, 'must name at least one model'),
        ),
      }),
    ),
    /**
     * Receivers of webhooks that may be private or without TLS, as `host:port`, with `*` for any port. For a deployment
     * whose functions can reach a private network.
     */
    outboundAllow: v.array(
      text(/^[a-z0-9.-]+:(\d{1,5}|\*)$/, 'must be a host and a port, such as hooks.internal:8443'),
      'must be a list of hosts and ports',
    ),
    logRetentionDays: v.picklist(
      logRetentionChoices,
      `must be one of ${logRetentionChoices.join(', ')} days, which CloudWatch Logs supports`,
    ),
    /** Days after which events are deleted. */
    eventDays: wholeNumber('days', 1, 3_653),
    /** Days after which sessions and their transcripts are deleted, in the table and in S3. Unset, they are kept. */
    transcriptRetentionDays: v.optional(wholeNumber('days', 1, 36_500)),
    /**
     * Keeps the data when the stack is deleted, with point-in-time recovery for 35 days and weekly backups. If false,
     * deleting the stack deletes all data.
     */
    retain: flag,
    /**
     * Protects the stack, its table and its users from deletion. Deploy with `-c deletionProtection=false` the first
     * time: a first deployment that fails must be deleted before the next.
     */
    deletionProtection: flag,
    /**
     * Lets the stack set API Gateway's account-wide role for access logs. Without that role, the account rejects the
     * deployment. Set false if another stack owns the role.
     */
    gatewayLogRole: flag,
    /** Sends email when the account's bill nears or exceeds it (budget.ts). Optional and free. */
    budget: v.optional(Budget),
    /** Alarms, at $0.10 a month each beyond the account's first ten, and their recipients. Optional. */
    alarms: v.optional(Alarms),
    /** Creates a dashboard for $3 a month: it has more metrics than a free one allows. */
    dashboard: flag,
    /** Traces requests in X-Ray, for $5 a million beyond the account's first 100,000 a month. */
    tracing: flag,
    /**
     * Rollout of new code: `canary` first gives it a tenth of the requests for five minutes, on the routes marked
     * `canary` (stacks/api/releases.ts); `all-at-once` switches immediately.
     */
    releases: v.picklist(['canary', 'all-at-once'], 'must be "canary" or "all-at-once"'),
    /** Tags on all resources, in addition to `service` and `environment`. */
    tags: v.record(tag(1, 128), tag(0, 256)),
  }),
  v.forward(
    v.partialCheck(
      [['region'], ['domain', 'certificateArn']],
      ({ region, domain }) => !region || !domain || domain.certificateArn.split(':')[3] === region,
      'must be in the same region as the stack',
    ),
    ['domain', 'certificateArn'],
  ),
  v.forward(
    v.partialCheck(
      [['throttle'], ['waf']],
      ({ throttle, waf }) => waf || throttle.perToken === undefined,
      'may have perToken only with waf: the firewall counts the requests',
    ),
    ['throttle'],
  ),
  v.forward(
    v.partialCheck(
      [['identity'], ['console']],
      ({ identity, console }) =>
        identity.kind === 'oidc' || !(console?.clientId ?? console?.scope ?? console?.authorizeParams),
      'may set clientId, scope and authorizeParams only if identity.kind is "oidc"',
    ),
    ['console'],
  ),
  v.forward(
    v.partialCheck(
      [['identity'], ['console']],
      ({ identity, console }) =>
        identity.kind !== 'oidc' ||
        !console ||
        isCognitoPool(identity.issuer) ||
        (console.clientId ?? identity.audience) !== identity.audience,
      'must have a clientId other than identity.audience: otherwise the API would accept ID tokens, whose audience is the client',
    ),
    ['console'],
  ),
);
export type Settings = v.InferOutput<typeof Settings>;

/** Formats an issue as a sentence that begins with the setting. */
function toSentence(issue: v.InferIssue<typeof Settings>): string {
  const field = v.getDotPath(issue) ?? 'it';
  if (issue.expected === 'never') return `Unknown setting \`${field}\`: fix its name or remove it`;
  if (issue.received === 'undefined') return `${field} is missing`;
  return `${field} ${issue.message}${issue.received === 'Object' ? '' : `, but is ${issue.received}`}`;
}

/**
 * Maximum length of an environment's name. A function's name contains it and the route's id, and AWS allows 64
 * characters.
 */
export const maxEnvironmentNameLength = 15;

/**
 * Pattern of an environment's name. The name is part of the user pool's domain, where AWS reserves its own names.
 */
const environmentNamePattern = /^(?!.*(?:aws|amazon|cognito))[a-z][a-z0-9-]*$/;

/** Returns the settings if they are valid. Throws UserError with one line per fault. */
export function parseSettings(environment: string, settings: unknown): Settings {
  const faults =
    environmentNamePattern.test(environment) && environment.length <= maxEnvironmentNameLength
      ? []
      : [
          `its name must start with a letter, have up to ${maxEnvironmentNameLength} lowercase letters, digits and "-", and not contain ` +
            '"aws", "amazon" or "cognito": it is part of the names of functions and API keys',
        ];
  const { success, output, issues = [] } = v.safeParse(Settings, settings);
  faults.push(...issues.map(toSentence));
  if (success) faults.push(...listSignInFaults(output));
  if (success && faults.length === 0) return output;
  throw new UserError(
    [`The environment ${environment} cannot be deployed. Fix it in infra/config.ts:`, ...faults].join('\n- '),
  );
}
