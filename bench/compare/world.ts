import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { clientId, LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import { serveIssuer } from '../../infra/local/emulators/issuer/server.ts';
import { buildMemoryEnvironment } from '../../infra/stacks/api/service-function.ts';
import { defaultMemoryMb } from '../../shared/route.ts';
import { startStub } from './dynamodb-stub.ts';
import { probe } from './probe.ts';
import type { Bundle, Endpoint } from './stacks.ts';

/** Request with its expected statuses. Frameworks use different ones for an invalid body. */
export interface Request {
  endpoint: Endpoint;
  event: unknown;
  status: number[];
}

export const caseNames = ['read', 'refused token', 'write', 'invalid body'] as const;
export type Case = (typeof caseNames)[number];

/** Environment and requests, the same for all stacks. */
export interface World {
  environment: Record<string, string>;
  requests: Record<Case, Request>;
  /** Temporary folder for bundles and other files. */
  dir: string;
  stop(): Promise<void>;
}

const readEvent = (name: string, token: string) =>
  JSON.parse(readFileSync(`events/${name}.json`, 'utf8').replaceAll('<token>', token));

/** Starts a token issuer and a stub of DynamoDB, and builds the requests. */
export async function startWorld(): Promise<World> {
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-bench-'));
  const issuer = await LocalIssuer.open(dir);
  const served = await serveIssuer(issuer, new Set());
  const stub = await startStub();
  const token = await issuer.token({ sub: 'bench', ttl: 86_400 });
  const expired = await issuer.token({ sub: 'bench', ttl: -60 });
  return {
    dir,
    environment: {
      ISSUER: issuer.url,
      JWKS_URI: `${issuer.url}/.well-known/jwks.json`,
      AUDIENCES: clientId,
      TOKEN_USE: 'access',
      MACHINE_CLIENTS: '{}',
      CORS_ORIGINS: '',
      ENVIRONMENT: 'bench',
      TABLE_NAME: 'assistants',
      EVENT_DAYS: '90',
      AWS_ENDPOINT_URL_DYNAMODB: stub.url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      ...buildMemoryEnvironment(defaultMemoryMb),
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_NAME: 'bench',
      AWS_LAMBDA_FUNCTION_VERSION: '1',
      TZ: ':UTC',
    },
    requests: {
      read: { endpoint: 'read', event: readEvent('assistants/get', token), status: [200] },
      'refused token': { endpoint: 'read', event: readEvent('assistants/get', expired), status: [401] },
      write: { endpoint: 'write', event: readEvent('assistants/create', token), status: [200] },
      'invalid body': {
        endpoint: 'write',
        event: { ...readEvent('assistants/create', token), body: '{"name":"","voice":{"language":5}}' },
        status: [400, 422],
      },
    },
    stop: async () => {
      stub.stop();
      await served.stop();
      rmSync(dir, { recursive: true });
    },
  };
}

/** Lets this service write the item that all stacks read. */
export async function seed({ environment, requests }: World, bundles: Bundle[]): Promise<void> {
  const ours = bundles.find(({ stack, endpoint }) => stack === 'ours' && endpoint === 'write');
  if (!ours) throw new Error('The bundles do not contain this service');
  await probe({ entry: ours.entry, first: requests.write.event, environment });
}
