import { Problem } from './problem.ts';
import { checked, type Settings } from './settings.ts';

const standard: Settings = {
  identity: { kind: 'cognito' },
  console: {},
  corsOrigins: [],
  throttle: { rate: 100, burst: 200 },
  waf: true,
  machineClients: {},
  knowledgeBases: { maxUploadMb: 50, maxAttached: 50, maxConcurrency: 10 },
  logRetentionDays: 90,
  retain: true,
  deletionProtection: true,
  gatewayLogRole: true,
  budget: { dollarsAMonth: 50 },
  dashboard: false,
  tracing: false,
  releases: 'all-at-once',
  tags: {},
};

/** The environments that can be deployed, each by `-c env=<name>`. docs/configuration.md tells of every setting. */
export const environments: Record<string, Settings> = {
  /** Cheap, and gone without a trace; also what runs locally. */
  dev: {
    ...standard,
    corsOrigins: ['http://localhost:3000', 'http://localhost:5173'],
    waf: false,
    // A new account runs 10 functions at once, and some must be left for requests.
    knowledgeBases: { ...standard.knowledgeBases, maxConcurrency: 2 },
    logRetentionDays: 7,
    retain: false,
    deletionProtection: false,
  },
  /** As prod in all that a deployment may trip over, so that what would harm data or be refused does so here first. */
  staging: { ...standard, logRetentionDays: 30, alarms: {}, releases: 'canary' },
  prod: { ...standard, alarms: {}, dashboard: true, releases: 'canary' },
};

/** The settings of an environment. Throws Problem, with what to do, where there is none or where it cannot be deployed. */
export function settingsOf(name: string, known: Record<string, unknown> = environments): Settings {
  if (Object.hasOwn(known, name)) return checked(name, known[name]);
  const names = Object.keys(known).join(', ');
  throw new Problem(
    `No environment is called "${name}": choose one of ${names} (-c env=…), or add it to infra/config.ts`,
  );
}

/** The service's name, with which those of its stacks begin. */
export const service = 'voice-assistants';

/** The stack of an environment. */
export const stackNameOf = (environment: string): string => `${service}-${environment}`;
