import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import { routes } from '../../shared/routes/index.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { JournalEvent } from '../../shared/schemas/event.ts';
import { scopes } from '../../shared/scopes.ts';
import { type Client, createClient, createUser, deployed, listFaults, send } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { createAssistant } from '../support/assistants.ts';
import { readLog } from '../support/function-log.ts';
import { getRequestCost } from '../support/tenancy.ts';
import { createMember, createWorkspaceId } from '../support/workspaces.ts';

interface Check {
  data: { user_id: string; scopes: string[]; workspace: string | null; role: string | null; workspaces: string[] };
}

const check = async (client: Client) => (await client.get<Check>('/protected')).body.data;
const listIds = async (client: Client) => (await client.get<Assistant[]>('/assistants')).body.map(({ id }) => id);

describe.skipIf(deployed)('a workspace', () => {
  it('is shared by its members, and nobody else sees it', async () => {
    const org = createWorkspaceId();
    const [alice, bob] = [await createMember({ org }), await createMember({ org, role: 'editor' })];
    const { body: created } = await createAssistant(alice);
    const changed = await bob.put<Assistant>(`/assistants/${created.id}`, { name: 'Renamed' });
    expect(changed.body).toMatchObject({ name: 'Renamed', user_id: org });
    expect(await listIds(alice)).toEqual([created.id]);
    expect(await listIds(bob)).toEqual([created.id]);
    for (const other of [
      await createMember({ org: createWorkspaceId() }),
      await createMember({ sub: alice.sub, org, workspace: 'personal' }),
      await createUser(),
      await createMember({ sub: org }),
    ])
      expect(await listIds(other)).toEqual([]);
  });

  it('of a token is what /protected returns', async () => {
    const org = createWorkspaceId();
    expect(await check(await createMember({ org, role: 'viewer' }))).toMatchObject({
      user_id: org,
      workspace: org,
      role: 'viewer',
      scopes: ['read'],
      workspaces: [org],
    });
    expect(await check(await createMember({ org, role: 'admin' }))).toMatchObject({ scopes });
    const personal = await createMember({ org, workspace: 'personal' });
    expect(await check(personal)).toMatchObject({
      user_id: personal.sub,
      workspace: null,
      role: null,
      scopes: [],
      workspaces: [org],
    });
  });

  it('is chosen by a header among several, also with one and the same token', async () => {
    const orgs = [createWorkspaceId(), `${createWorkspaceId()} عيادة`];
    const { sub, token } = await createMember({ org: orgs });
    const open = await createClient(sub, token).get('/assistants');
    expect(listFaults(open)).toEqual(['header.x-workspace: conflict']);
    expect(open.body).toMatchObject({
      detail: [{ msg: expect.stringContaining(`${orgs.map(encodeURIComponent).join(', ')}, personal`) }],
    });
    const choices = [...orgs.map(encodeURIComponent), 'personal'];
    const clients = choices.map((workspace) => createClient(sub, token, undefined, { 'x-workspace': workspace }));
    const ids: string[] = [];
    for (const client of clients) ids.push((await createAssistant(client)).body.id);
    for (let round = 0; round < 3; round++) {
      const lists = await Promise.all(clients.map(listIds));
      expect(lists).toEqual(ids.map((id) => [id]));
    }
    expect(await Promise.all(clients.map(async (client) => (await check(client)).workspace))).toEqual([...orgs, null]);
  });

  it('that the person is no member of is refused at the same cost as one that does not exist', async () => {
    const [org, existing] = [createWorkspaceId(), createWorkspaceId()];
    await createAssistant(await createMember({ org: existing }));
    const { sub, token } = await createMember({ org });
    const request = async (workspace: string) => {
      const reply = await createClient(sub, token, undefined, { 'x-workspace': workspace }).get('/assistants');
      return { status: reply.status, text: reply.text, ...(await getRequestCost(reply)) };
    };
    await request(org); // warms the function
    const refused = await request(existing);
    expect(refused).toMatchObject({ status: 403, round_trips: 0, read_units: 0 });
    expect(JSON.parse(refused.text).detail).toMatchObject([{ type: 'not_a_member', loc: ['header', 'x-workspace'] }]);
    expect(refused.text).toContain(org);
    expect(refused.text).not.toContain(existing);
    for (const unknown of [createWorkspaceId(), '', '%', 'Personal']) expect(await request(unknown)).toEqual(refused);
  });

  it('is out of reach for a token without the claim, which reaches the own world as before', async () => {
    const org = createWorkspaceId();
    const person = await createUser();
    const { body: own } = await createAssistant(person);
    const member = await createMember({ sub: person.sub, org });
    const { body: shared } = await createAssistant(member);
    expect(await listIds(member)).toEqual([shared.id]);
    const left = createClient(person.sub, person.token, undefined, { 'x-workspace': org });
    expect(listFaults(await left.get('/assistants'))).toEqual(['header.x-workspace: not_a_member']);
    expect(await listIds(person)).toEqual([own.id]);
    expect((await person.get(`/assistants/${shared.id}`)).status).toBe(404);
  });

  it('has events that name the person, and log lines that tell persons apart', async () => {
    const org = createWorkspaceId();
    const [alice, bob] = [await createMember({ org }), await createMember({ org })];
    const created = await createAssistant(alice);
    const changed = await bob.put(`/assistants/${created.body.id}`, { name: 'Renamed' });
    const { body } = await alice.get<{ data: { events: JournalEvent[] } }>('/logs/audit');
    expect(body.data.events.map(({ actor, user_id }) => [actor, user_id])).toEqual([
      [{ kind: 'user', id: bob.sub }, org],
      [{ kind: 'user', id: alice.sub }, org],
    ]);
    const lines = await Promise.all([created, changed].map(async (reply) => (await readLog(reply)).line));
    const [first, second] = lines as unknown as { user: string; member: string }[];
    expect(first?.user).toBe(second?.user);
    expect(first?.member).not.toBe(second?.member);
  });
});

describe.skipIf(deployed)('a role', () => {
  const org = createWorkspaceId();
  const roleScopes = { viewer: ['read'], editor: ['read', 'write', 'runtime', 'chat', 'events'], admin: [...scopes] };

  it.each(routes)('allows $id by its scope, and says which role would', async (route) => {
    const path = route.path.replaceAll(/\{\w+\}/g, randomUUID());
    for (const [role, held] of Object.entries(roleScopes)) {
      const { token } = await createMember({ org, role });
      const { status, text } = await send(route.method, path, { headers: { authorization: `Bearer ${token}` } });
      const isAllowed =
        route.scope === 'any' || (route.scope === 'none' ? role === 'admin' : held.includes(route.scope));
      if (route.workersOnly) expect([status, text]).toEqual([403, expect.stringContaining('API key')]);
      else if (isAllowed) expect(status).not.toBe(403);
      else expect([status, text]).toEqual([403, expect.stringMatching(/ask for .*admin/)]);
    }
  });

  it('that is missing or unknown allows nothing but to ask who one is', async () => {
    for (const role of ['', 'owner', '__proto__', 'toString']) {
      const member = await createMember({ org, role });
      expect(await check(member)).toMatchObject({ workspace: org, role: null, scopes: [] });
      const refused = await member.get('/assistants');
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('This needs a role')]);
    }
  });

  it('does not limit people in their own world', async () => {
    const person = await createMember({ org, role: 'viewer', workspace: 'personal' });
    expect((await createAssistant(person)).status).toBe(200);
    expect((await createAssistant(await createMember({ role: 'viewer' }))).status).toBe(200);
  });
});

describe.skipIf(deployed)('an API key of a workspace', () => {
  it('acts in it, whatever header comes', async () => {
    const org = createWorkspaceId();
    const admin = await createMember({ org });
    const { body } = await createAssistant(admin);
    const { token } = await createWorker(admin, ['read', 'write']);
    for (const workspace of ['personal', org, createWorkspaceId()]) {
      const worker = createClient(org, token, undefined, { 'x-workspace': workspace });
      expect(await listIds(worker)).toEqual([body.id]);
      expect(await check(worker)).toMatchObject({ user_id: org, workspace: org, workspaces: [org], role: null });
    }
    const personal = await createWorker(await createUser(), ['read']);
    expect(await check(personal)).toMatchObject({ workspace: null, workspaces: [] });
  });

  it('belongs to all its admins', async () => {
    const org = createWorkspaceId();
    const [alice, bob] = [await createMember({ org }), await createMember({ org })];
    await createWorker(alice, ['read']);
    const { body } = await bob.get<{ data: { api_keys: { id: string }[] } }>('/api-keys');
    expect(body.data.api_keys).toHaveLength(1);
    expect((await bob.delete(`/api-keys/${body.data.api_keys[0]?.id}`)).status).toBe(200);
  });
});

describe.skipIf(deployed)('a hostile claim', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 'acme' : [deep(levels - 1)]);

  it.each<[string, unknown, number]>([
    ['a number', 42, 401],
    ['an object', { acme: true }, 401],
    ['a list of lists', [['acme']], 401],
    ['a deep list', deep(500), 401],
    ['NUL', 'acme\0', 401],
    ['a long text', 'a'.repeat(5_000), 401],
    ['many workspaces', Array.from({ length: 500 }, (_, i) => `t${i}`), 401],
    ['nothing', [], 200],
    ['an empty text', '', 200],
    ['__proto__', '__proto__', 200],
  ])('%s gets a clear answer', async (_, org_id, status) => {
    const issuer = await LocalIssuer.open(inject('dataDir'));
    const sub = `user-${randomUUID()}`;
    const token = await issuer.token({ sub, ttl: 60, claims: { org_id, org_role: 'viewer' } });
    const reply = await createClient(sub, token).get('/protected');
    expect(reply.status).toBe(status);
    if (status === 401) expect(listFaults(reply)).toEqual(['header.authorization: invalid_token']);
  });
});
