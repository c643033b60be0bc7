/** Who issues the tokens: a user pool that the stack makes, or any OIDC issuer. */
export type Identity =
  | { kind: 'cognito' }
  | {
      kind: 'oidc';
      /** The `iss` of its tokens, an https address. */
      issuer: string;
      /** The `aud` or `client_id` that tokens must carry. */
      audience: string;
      /** Where its public keys are; `<issuer>/.well-known/jwks.json` unless given. */
      jwksUri?: string;
    };

/** The settings of one environment. */
export interface Settings {
  identity: Identity;
  /** Origins of web apps that call the API from a browser. */
  corsOrigins: string[];
  /** Requests a second over the whole API, and how many may come at once; more get 429. */
  throttle: { rate: number; burst: number };
  /**
   * Clients of the issuer that are no person (client-credentials tokens), by their client id: the `sub` of the user as whom
   * each acts.
   */
  machineClients: Record<string, string>;
  logRetentionDays: 7 | 30 | 90 | 365;
  /** Days that sessions are kept with their transcripts, in the table and in S3; unless set, until they are deleted. */
  transcriptRetentionDays?: number;
  /**
   * Whether the stack gives API Gateway the account-wide role that lets it write access logs.
   * An account that lacks it refuses the deployment; set false where another stack owns the role.
   */
  gatewayLogRole: boolean;
  /** Alarms, at $0.10 a month each beyond the account's first ten, and whom they tell. Unless set, there are none. */
  alarms?: {
    /** A topic is made that tells these, once each has confirmed by the mail that AWS sends. */
    emails?: string[];
    /** ARNs of SNS topics that exist, and let CloudWatch publish. */
    topicArns?: string[];
  };
  /** A dashboard, at $3 a month: it has more metrics than a free one may. */
  dashboard: boolean;
  /** Traces of requests in X-Ray, at $5 a million beyond the account's first 100,000 a month. */
  tracing: boolean;
  /** How new code takes over: a tenth of the requests for five minutes on the routes of infra/release.ts, or at once on all. */
  releases: 'canary' | 'all-at-once';
}

const standard: Settings = {
  identity: { kind: 'cognito' },
  corsOrigins: [],
  throttle: { rate: 100, burst: 200 },
  machineClients: {},
  logRetentionDays: 90,
  gatewayLogRole: true,
  dashboard: false,
  tracing: false,
  releases: 'all-at-once',
};

const environments: Record<string, Settings> = {
  dev: {
    ...standard,
    corsOrigins: ['http://localhost:3000', 'http://localhost:5173'],
    logRetentionDays: 7,
  },
  prod: { ...standard, alarms: {}, dashboard: true, releases: 'canary' },
};

/** The settings of an environment. Throws, with what to do, where there is none or where it cannot be deployed. */
export function settingsOf(name: string, known = environments): Settings {
  const settings = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!settings) {
    const names = Object.keys(known).join(', ');
    throw new Error(
      `No environment is called "${name}": choose one of ${names} (-c env=…), or add it to infra/config.ts`,
    );
  }
  const { identity, machineClients, transcriptRetentionDays: days } = settings;
  if (!/^[a-z][a-z0-9-]*$/.test(name)) {
    throw new Error(`Environment ${name}: name it by small letters, digits and "-", as its API keys do`);
  }
  for (const [client, sub] of Object.entries(machineClients)) {
    if (sub === '' || !sub.isWellFormed()) {
      throw new Error(`Environment ${name}: machineClients.${client} must be the sub of the user as whom it acts`);
    }
  }
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= 36_500)) {
    throw new Error(`Environment ${name}: transcriptRetentionDays must be a whole number of days from 1 to 36,500`);
  }
  if (identity.kind === 'oidc') {
    for (const field of ['issuer', 'jwksUri'] as const) {
      if (identity[field]?.startsWith('https://') === false) {
        throw new Error(`Environment ${name}: identity.${field} "${identity[field]}" must be an https address`);
      }
    }
  }
  return settings;
}

/** The service's name, with which those of its stacks begin. */
export const service = 'voice-assistants';

/** The stack of an environment. */
export const stackNameOf = (environment: string): string => `${service}-${environment}`;
