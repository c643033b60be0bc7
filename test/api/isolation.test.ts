import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../shared/routes/index.ts';
import { type Client, deployed, newUser } from '../support/api.ts';
import { workerOf } from '../support/api-keys.ts';
import { everythingOf } from '../support/everything.ts';
import { eventually } from '../support/patience.ts';
import { ask, namesOf, readsOf, type Things, toldBy } from '../support/tenancy.ts';

const owner = await newUser();
const scopes = ['read', 'write', 'logs', 'runtime'];

/** Names of the same form, of which nobody has anything. */
const nothingLike = (things: Things): Things =>
  Object.fromEntries(
    Object.entries(things).map(([name, value]) => {
      const id = randomUUID();
      if (name === 'cursor') return [name, Buffer.from(value, 'base64url').reverse().toString('base64url')];
      return [name, value.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, () => id)];
    }),
  );

/** What does not name a thing, but says how many, or how. */
const harmless = ['limit', 'skip', 'sort', 'search', 'force', 'knowledge_base', 'from', 'to'];

describe.skipIf(deployed)('of what another user has', () => {
  let things: Things;
  let before: unknown[];
  const listings = routes.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  const all = (user: Client) =>
    Promise.all(listings.map(async (route) => (await user.get(route.path)).text.replaceAll(/"jti":"[^"]*"/g, '')));

  beforeAll(async () => {
    things = await everythingOf(owner);
    before = await all(owner);
  });

  it.each(routes)('$id asks for nothing that is not tried here', (route) => {
    expect(namesOf(route).filter((name) => !(name in things) && !harmless.includes(name))).toEqual([]);
  });

  it.each(routes)('$id tells no more than if it had never been, and reads no more', async (route) => {
    const callers = [async (user: Client) => user, (user: Client) => workerOf(user, scopes)];
    for (const callerOf of callers) {
      /** The same by somebody new: its own first request is told from the second by what the function then knows. */
      const askedFor = async (named: Things) => {
        const caller = await callerOf(await newUser());
        await ask(caller, route, nothingLike(things));
        const reply = await ask(caller, route, named);
        return { ...toldBy(reply, named), ...(await readsOf(reply)) };
      };
      // Where another test has the function started once more, that one knows nothing of the caller, and reads more.
      await eventually(async () => expect(await askedFor(things)).toEqual(await askedFor(nothingLike(things))));
    }
  });

  it('no listing shows anything', async () => {
    const newcomer = await newUser();
    for (const text of await all(newcomer)) {
      for (const value of Object.values(things)) expect(text).not.toContain(value);
    }
    expect((await all(newcomer)).length).toBeGreaterThan(5);
  });

  it('nothing is changed', async () => {
    expect(await all(owner)).toEqual(before);
  });
});
