import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../shared/routes/index.ts';
import { type Client, createUser, deployed } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { createEverything } from '../support/create-everything.ts';
import { drawSample } from '../support/sample.ts';
import { callRoute, getRequestCost, listNames, normalizeReply, type OwnedValues } from '../support/tenancy.ts';
import { eventually } from '../support/timeouts.ts';
import { createMember, createWorkspaceId } from '../support/workspaces.ts';

const scopes = ['read', 'write', 'logs', 'runtime'];

/** Builds unknown ids and cursors of the same form. */
const buildUnknownValues = (things: OwnedValues): OwnedValues =>
  Object.fromEntries(
    Object.entries(things).map(([name, value]) => {
      const id = randomUUID();
      if (name === 'cursor') return [name, Buffer.from(value, 'base64url').reverse().toString('base64url')];
      return [name, value.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, () => id)];
    }),
  );

/** An owner of data, and strangers to it: each call creates another one, without data. */
interface Tenancy {
  owner: string;
  stranger: string;
  createOwner(): Promise<Client>;
  createStranger(owner: Client): Promise<Client>;
}

const org = createWorkspaceId();
const otherOrgs = () => [org, createWorkspaceId()] as const;

const tenancies: Tenancy[] = [
  { owner: 'a user', stranger: 'another user', createOwner: createUser, createStranger: () => createUser() },
  {
    owner: 'a workspace',
    stranger: 'another workspace of the same person',
    createOwner: () => createMember({ org }),
    createStranger: ({ sub }) => {
      const orgs = otherOrgs();
      return createMember({ sub, org: orgs, workspace: orgs[1] });
    },
  },
  {
    owner: 'a workspace',
    stranger: 'the own world of a member',
    createOwner: () => createMember({ org }),
    createStranger: () => createMember({ org, workspace: 'personal' }),
  },
  {
    owner: 'a user',
    stranger: 'a workspace of the same person',
    createOwner: () => createMember({ org, workspace: 'personal' }),
    createStranger: ({ sub }) => createMember({ sub, org: createWorkspaceId() }),
  },
];

/** Parameters that do not identify data. `after` is a time in the caller's own list. */
const harmlessParameters = [
  ...['limit', 'skip', 'sort', 'search', 'force', 'knowledge_base', 'from', 'to'],
  ...['type', 'settled', 'after', 'status', 'group_by', 'interval', 'tools', 'call_id'],
  ...['version', 'against', 'call'],
];

/** Routes that read rows: the tools of `mcp/serve` send requests to the others. */
const readers = routes.filter(({ id }) => id !== 'mcp/serve');

/** Includes new events: the list without them changes with time. */
const allEvents: Record<string, string> = { '/events': '?settled=false' };

describe.skipIf(deployed).each(tenancies)(
  'isolation of $owner from $stranger',
  ({ stranger, createOwner, createStranger }) => {
    let owner: Client;
    // Keys decide alike for every kind of owner, so a sample suffices for the others.
    const tried = stranger === 'another user' ? readers : drawSample(readers, 6, ({ id }) => id);
    let owned: OwnedValues;
    let before: unknown[];
    const listings = routes.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
    const readListings = (user: Client) =>
      Promise.all(
        listings.map(async ({ path }) =>
          (await user.get(`${path}${allEvents[path] ?? ''}`)).text.replaceAll(/"jti":"[^"]*"/g, ''),
        ),
      );

    beforeAll(async () => {
      owner = await createOwner();
      const { sub } = await createStranger(owner);
      // A person is the actor of events in each of their worlds.
      owned = { ...(await createEverything(owner)), ...(sub === owner.sub && { actor_id: `user-${randomUUID()}` }) };
      before = await readListings(owner);
    });

    it.each(routes)('$id has no parameter that this test does not cover', (route) => {
      expect(listNames(route).filter((name) => !(name in owned) && !harmlessParameters.includes(name))).toEqual([]);
    });

    it.each(tried)('$id responds as if the data did not exist, and reads no more rows', async (route) => {
      const callers = [async (user: Client) => user, (user: Client) => createWorker(user, scopes)];
      for (const createCaller of callers) {
        /** Measures the second request of a new user, since functions cache what they learn from the first. */
        const measureReply = async (named: OwnedValues) => {
          const caller = await createCaller(await createStranger(owner));
          await callRoute(caller, route, buildUnknownValues(owned));
          const reply = await callRoute(caller, route, named);
          return { ...normalizeReply(reply, named), ...(await getRequestCost(reply)) };
        };
        // Retries, since another test may start a new instance of the function, which has no cache and reads more.
        await eventually(async () =>
          expect(await measureReply(owned)).toEqual(await measureReply(buildUnknownValues(owned))),
        );
      }
    });

    it('no list contains the data', async () => {
      const newcomer = await createStranger(owner);
      for (const text of await readListings(newcomer)) {
        for (const value of Object.values(owned)) expect(text).not.toContain(value);
      }
      expect((await readListings(newcomer)).length).toBeGreaterThan(5);
    });

    it('no data has changed', async () => {
      expect(await readListings(owner)).toEqual(before);
    });
  },
);
