import { parseSettings, type Settings } from './settings.ts';
import { UserError } from './terminal/user-error.ts';

const defaults: Settings = {
  identity: { kind: 'cognito' },
  console: {},
  corsOrigins: [],
  throttle: { rate: 100, burst: 200 },
  waf: true,
  machineClients: {},
  knowledgeBases: {
    maxUploadMb: 50,
    maxAttached: 50,
    maxConcurrency: 10,
    ocrLanguages: ['en', 'de', 'es', 'fr', 'ar', 'ko', 'zh-Hans'],
  },
  webhooks: { maxConcurrency: 10 },
  outboundAllow: [],
  logRetentionDays: 90,
  eventDays: 90,
  retain: true,
  deletionProtection: true,
  gatewayLogRole: true,
  budget: { dollarsAMonth: 50 },
  dashboard: false,
  tracing: false,
  releases: 'all-at-once',
  tags: {},
};

/** Environments that can be deployed with `-c env=<name>`. docs/configuration.md describes every setting. */
export const environments: Record<string, Settings> = {
  /** Cheap, and deletes its data with its stack. The local host runs it as well. */
  dev: {
    ...defaults,
    corsOrigins: ['http://localhost:3000', 'http://localhost:5173'],
    waf: false,
    // Teams work locally, where the token issuer has these claims. The stack's own user pool has none of them (docs/workspaces.md).
    workspaces: {
      claim: 'org_id',
      roleClaim: 'org_role',
      roles: { viewer: ['read'], editor: ['read', 'write', 'runtime', 'chat', 'events'], admin: 'all' },
    },
    // A new account runs at most 10 functions concurrently, and requests need some of them.
    knowledgeBases: { ...defaults.knowledgeBases, maxConcurrency: 2 },
    webhooks: { maxConcurrency: 2 },
    logRetentionDays: 7,
    retain: false,
    deletionProtection: false,
  },
  /** Matches prod in every setting that can make a deployment fail, so that a harmful or rejected change fails here first. */
  staging: { ...defaults, logRetentionDays: 30, alarms: {}, releases: 'canary' },
  prod: { ...defaults, alarms: {}, dashboard: true, releases: 'canary' },
};

/** Returns the settings of an environment. Throws UserError if it does not exist or its settings are invalid. */
export function getSettings(name: string, available: Record<string, unknown> = environments): Settings {
  if (Object.hasOwn(available, name)) return parseSettings(name, available[name]);
  const names = Object.keys(available).join(', ');
  throw new UserError(
    `No environment is called "${name}": choose one of ${names} (-c env=…), or add it to infra/config.ts`,
  );
}

/** Name of the service, and prefix of its stack names. */
export const serviceName = 'voice-assistants';

/** Returns the name of an environment's stack. */
export const toStackName = (environment: string): string => `${serviceName}-${environment}`;
