import { randomUUID } from 'node:crypto';
import type { LocalIssuer } from '../../infra/local/emulators/issuer.ts';
import type { Services } from '../../infra/local/services.ts';
import { document } from './document.ts';
import type { Subject } from './fuzz.ts';
import { inProcess } from './in-process.ts';
import { over, type Sender } from './wire.ts';
import type { Identity } from './world.ts';

/** The scopes that a key may have, as the document has them. */
const scopes = document.components.schemas.NewApiKey?.properties?.scopes?.items?.enum ?? [];

/** A key of a worker who may do everything, for the user of a token. */
async function workerOf(send: Sender, token: string): Promise<string> {
  const { status, body } = await send({
    method: 'POST',
    target: '/api-keys',
    headers: [
      ['authorization', `Bearer ${token}`],
      ['content-type', 'application/json'],
    ],
    body: Buffer.from(JSON.stringify({ name: 'Fuzz', scopes })),
  });
  if (status !== 200) throw new Error(`No API key is made: ${status} ${body}`);
  return JSON.parse(body).data.secret;
}

const peopleOf = (send: Sender, issuer: LocalIssuer) => async (): Promise<Identity> => {
  const sub = randomUUID();
  const [person, other, expired] = await Promise.all([
    issuer.token({ sub, ttl: 86_400 }),
    issuer.token({ sub: `other of ${sub}`, ttl: 86_400 }),
    issuer.token({ sub, ttl: -60 }),
  ]);
  return { person, other, expired, worker: await workerOf(send, person) };
};

/** The functions in this process, on services that run. `stop` leaves those. */
export async function localSubject(services: Services): Promise<Subject & { stop(): void }> {
  const api = await inProcess(services);
  return { ...api, newUser: peopleOf(api.send, services.issuer) };
}

/** A local host, over HTTP. Users get what they have by the functions of this process, on the same services. */
export const hostSubject = (base: string, { send: furnish, newUser }: Subject): Subject => ({
  send: over(base),
  furnish,
  newUser,
});

/** A deployed stack, as the one user of a token. There is no expired one of theirs, and nobody else. */
export async function deployedSubject(base: string, token: string): Promise<Subject> {
  const send = over(base);
  const identity = { person: token, other: token, expired: 'expired', worker: await workerOf(send, token) };
  return { send, newUser: async () => identity };
}
