import * as v from 'valibot';
import { maxAttached, maxUploadBytes } from '../shared/schemas/knowledge-base.ts';
import { Console } from './console/settings.ts';
import { Domain, flag, https, isOrigin, tag, text, whole } from './fields.ts';
import { Problem } from './problem.ts';
import { listSignInFaults } from './providers.ts';

/** Who issues the tokens: a user pool that the stack makes, or any OIDC issuer. */
const Identity = v.variant(
  'kind',
  [
    v.strictObject({
      kind: v.literal('cognito'),
      /** People may also sign in with Google (docs/sign-in.md). Unless set, with a password of the pool only. */
      google: v.optional(
        v.strictObject({
          clientId: text(/\.apps\.googleusercontent\.com$/, "must be the id of Google's OAuth client"),
          /** Name of a secret in Secrets Manager that is the client's secret, as plain text. */
          secretName: text(/^[\w/+=.@-]+$/, 'must be the name of a secret in Secrets Manager'),
        }),
      ),
    }),
    v.strictObject({
      kind: v.literal('oidc'),
      /** The `iss` of its tokens. */
      issuer: https,
      /** The `aud` or `client_id` that tokens must carry. */
      audience: text(/^\S+$/, 'must be the aud, or client_id, that tokens carry'),
      /** Where its public keys are, if not where its provider has them (providers.ts). */
      jwksUri: v.optional(https),
    }),
  ],
  'must say its kind: "cognito", or "oidc" with issuer and audience',
);

/** Whether an issuer is a user pool of Cognito: its access tokens name their client alone, and its ID tokens say what they are. */
const isUserPool = (issuer: string): boolean => issuer.startsWith('https://cognito-idp.');

const Throttle = v.strictObject({
  rate: whole('requests a second', 1, 10_000),
  burst: whole('requests at once', 1, 5_000),
});

/** Of what shared/schemas/knowledge-base.ts allows, how much. What the API itself takes, 4 MB a file, is always allowed. */
const KnowledgeBases = v.strictObject({
  maxUploadMb: whole('MB', 5, maxUploadBytes / 1_000_000),
  maxAttached: whole('knowledge bases', 1, maxAttached),
  /** Each takes one of the account's functions at once. SQS takes no less than 2. */
  maxConcurrency: whole('documents read at once', 2, 1_000),
});

/** Email addresses. A budget can have ten. */
const Emails = v.pipe(
  v.array(text(/^[^\s@]+@[^\s@]+$/, 'must be an address of mail'), 'must be a list of addresses of mail'),
  v.maxLength(10, 'must have at most ten addresses'),
);

const Budget = v.strictObject({
  dollarsAMonth: whole('dollars', 1, 1_000_000),
  /** Unless set, those of the alarms. */
  emails: v.optional(Emails),
});

const Alarms = v.strictObject({
  /** A topic is made that tells these, once each has confirmed by the mail that AWS sends. */
  emails: v.optional(Emails),
  /** SNS topics that exist, and let CloudWatch publish. */
  topicArns: v.optional(
    v.array(text(/^arn:[\w-]+:sns:[\w-]+:\d{12}:\S+$/, 'must be the ARN of an SNS topic'), 'must be a list of ARNs'),
  ),
});

/** What CloudWatch Logs knows. */
const logDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/** The settings of one environment. docs/configuration.md tells what each costs. */
export const Settings = v.pipe(
  v.strictObject({
    /** Unless set, those of the CLI's own credentials and profile. */
    account: v.optional(text(/^\d{12}$/, 'must be the twelve digits of an AWS account, in quotes')),
    region: v.optional(text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be an AWS region, as eu-central-1')),
    /** The API's own name; unless set, it is served under the address that API Gateway gives. */
    domain: v.optional(Domain),
    identity: Identity,
    /** The web console. Unless set, there is none. */
    console: v.optional(Console),
    /** Origins of other web apps that call the API from a browser. */
    corsOrigins: v.array(
      text(isOrigin, 'must be an origin: https://, a host and no path, as https://app.example.com'),
      'must be a list of origins',
    ),
    /** For each method of each path, and the rate also for all of them together, where the firewall is. More get 429. */
    throttle: Throttle,
    /** Whether AWS WAF stands before the API (web-acl.ts). */
    waf: flag,
    /**
     * Clients of the issuer that are no person (client-credentials tokens), by their client id: the `sub` of the user as whom
     * each acts.
     */
    machineClients: v.record(
      v.string(),
      text((sub) => sub !== '' && sub.isWellFormed(), 'must be the sub of the user as whom it acts'),
    ),
    knowledgeBases: KnowledgeBases,
    logRetentionDays: v.picklist(logDays, `must be one of ${logDays.join(', ')} days, as CloudWatch Logs asks`),
    /** Days that sessions are kept with their transcripts, in the table and in S3; unless set, until they are deleted. */
    transcriptRetentionDays: v.optional(whole('days', 1, 36_500)),
    /**
     * Whether data outlives mistakes: it stays when the stack is deleted, can be brought back to any second of the last 35 days,
     * and is backed up weekly. Else all of it goes with the stack.
     */
    retain: flag,
    /**
     * Whether the stack, its table and its users refuse to be deleted. `-c deletionProtection=false` leaves it out of one
     * deployment: a first one that fails must be able to make way for the next.
     */
    deletionProtection: flag,
    /**
     * Whether the stack gives API Gateway the account-wide role that lets it write access logs.
     * An account that lacks it refuses the deployment; set false where another stack owns the role.
     */
    gatewayLogRole: flag,
    /** Mails when the account's bill nears or exceeds it (budget.ts); free. Unless set, there is none. */
    budget: v.optional(Budget),
    /** Alarms, at $0.10 a month each beyond the account's first ten, and whom they tell. Unless set, there are none. */
    alarms: v.optional(Alarms),
    /** A dashboard, at $3 a month: it has more metrics than a free one may. */
    dashboard: flag,
    /** Traces of requests in X-Ray, at $5 a million beyond the account's first 100,000 a month. */
    tracing: flag,
    /** How new code takes over: a tenth of the requests for five minutes on the routes of infra/release.ts, or at once on all. */
    releases: v.picklist(['canary', 'all-at-once'], 'must be "canary" or "all-at-once"'),
    /** On everything, over `service` and `environment`. */
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
      [['identity'], ['console']],
      ({ identity, console }) =>
        identity.kind === 'oidc' || !(console?.clientId ?? console?.scope ?? console?.authorizeParams),
      'may name a client, scopes and parameters only where identity.kind is "oidc"',
    ),
    ['console'],
  ),
  v.forward(
    v.partialCheck(
      [['identity'], ['console']],
      ({ identity, console }) =>
        identity.kind !== 'oidc' ||
        !console ||
        isUserPool(identity.issuer) ||
        (console.clientId ?? identity.audience) !== identity.audience,
      'must name a client, clientId, that is not identity.audience: else the API would take ID tokens, which are for the client',
    ),
    ['console'],
  ),
);
export type Settings = v.InferOutput<typeof Settings>;

/** A fault as a sentence: the field, and what it must be. */
function sentence(issue: v.InferIssue<typeof Settings>): string {
  const field = v.getDotPath(issue) ?? 'it';
  if (issue.expected === 'never') return `${field} is no setting: mend its name, or remove it`;
  if (issue.received === 'undefined') return `${field} is missing`;
  return `${field} ${issue.message}${issue.received === 'Object' ? '' : `, and is ${issue.received}`}`;
}

/** How long an environment's name may be: AWS takes 64 characters for that of a function, which has the route's in it, too. */
export const maxName = 15;

/** Its name is also part of the address of the user pool's pages, where AWS takes none of its own names. */
const name = /^(?!.*(?:aws|amazon|cognito))[a-z][a-z0-9-]*$/;

/** The settings of an environment as they are written. Throws Problem with all that is wrong with them, a line each. */
export function checked(environment: string, settings: unknown): Settings {
  const faults =
    name.test(environment) && environment.length <= maxName
      ? []
      : [
          `it must be named by up to ${maxName} small letters, digits and "-", as its functions and API keys are, ` +
            'without "aws", "amazon" or "cognito"',
        ];
  const { success, output, issues = [] } = v.safeParse(Settings, settings);
  faults.push(...issues.map(sentence));
  if (success) faults.push(...listSignInFaults(output));
  if (success && faults.length === 0) return output;
  throw new Problem(
    [`The environment ${environment} cannot be deployed. Mend it in infra/config.ts:`, ...faults].join('\n- '),
  );
}
