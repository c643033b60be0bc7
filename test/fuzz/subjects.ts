import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { trimStream } from '../../infra/local/emulators/dynamodb.ts';
import type { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import { type Services, startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { document } from './document.ts';
import type { Subject } from './fuzz.ts';
import { createInProcessApi } from './in-process.ts';
import type { Identity } from './resource-pool.ts';
import { createHttpSender, type Sender } from './wire.ts';

/** Every scope of an API key, from the OpenAPI document. */
const scopes = document.components.schemas.NewApiKey?.properties?.scopes?.items?.enum ?? [];

/** Creates an API key with every scope for the token's user. */
async function createWorkerKey(send: Sender, token: string): Promise<string> {
  const { status, body } = await send({
    method: 'POST',
    target: '/api-keys',
    headers: [
      ['authorization', `Bearer ${token}`],
      ['content-type', 'application/json'],
    ],
    body: Buffer.from(JSON.stringify({ name: 'Fuzz', scopes })),
  });
  if (status !== 200) throw new Error(`Could not create an API key: ${status} ${body}`);
  return JSON.parse(body).data.secret;
}

/** Returns a function that creates the credentials of a new user. */
const toUserFactory = (send: Sender, issuer: LocalIssuer) => async (): Promise<Identity> => {
  const sub = randomUUID();
  const [person, other, expired] = await Promise.all([
    issuer.token({ sub, ttl: 86_400 }),
    issuer.token({ sub: `other of ${sub}`, ttl: 86_400 }),
    issuer.token({ sub, ttl: -60 }),
  ]);
  return { person, other, expired, worker: await createWorkerKey(send, person) };
};

/** Runs the functions in this process, on running services. `stop` does not stop the services. */
export async function createLocalSubject(services: Services): Promise<Subject & { stop(): void }> {
  const api = await createInProcessApi(services);
  return { ...api, createUser: toUserFactory(api.send, services.issuer) };
}

/** Uses a local host over HTTP. The data of users is created in this process, on the same services, which is faster. */
export const createHostSubject = (base: string, { send: sendSetup, createUser }: Subject): Subject => ({
  send: createHttpSender(base),
  sendSetup,
  createUser,
});

/** Uses a deployed stack as the token's user. There is no other user and no expired token. */
export async function createDeployedSubject(base: string, token: string): Promise<Subject> {
  const send = createHttpSender(base);
  const identity = { person: token, other: token, expired: 'expired', worker: await createWorkerKey(send, token) };
  return { send, createUser: async () => identity };
}

/** Opens the deployment of `BASE_URL` and `TOKEN`, or else the functions in this process with their own embedded services. */
export async function openSubject(): Promise<Subject & { stop(): Promise<void> }> {
  const { BASE_URL, TOKEN = '' } = process.env;
  if (BASE_URL) return { ...(await createDeployedSubject(BASE_URL.replace(/\/$/, ''), TOKEN)), stop: async () => {} };
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-fuzz-'));
  const services = await startServices(dir, await synthesize());
  const local = await createLocalSubject(services);
  // Nothing here reads the stream of the table, and writes would take longer and longer.
  const [table] = services.assembly.listResources('AWS::DynamoDB::GlobalTable');
  const trimming = setInterval(trimStream, 1_000, dir, `${table?.stack}-${table?.id}`, String(Number.MAX_SAFE_INTEGER));
  const stop = async () => {
    clearInterval(trimming);
    local.stop();
    await services.stop();
    rmSync(dir, { recursive: true });
  };
  return { ...local, stop };
}
