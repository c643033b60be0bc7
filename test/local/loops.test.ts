import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userAgents } from '../../shared/outbound/user-agents.ts';
import { routes } from '../../shared/routes/index.ts';
import { type Client, deployed } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { createWebhook, type DeliveryHost, listDeliveries, startDeliveryHost } from '../support/delivery-host.ts';
import { eventually } from '../support/timeouts.ts';

let host: DeliveryHost;
let user: Client;
beforeAll(async () => {
  if (deployed) return;
  host = await startDeliveryHost();
  user = await host.newUser();
});
afterAll(() => host?.stop());

describe.skipIf(deployed)('a request of the service to itself', () => {
  const { mcp, ...looping } = userAgents;

  it.each(Object.values(looping))('by %s is refused by every route, before it is authenticated', async (agent) => {
    for (const { method, path } of routes) {
      const url = host.url + path.replaceAll(/\{\w+\}/g, 'x');
      const response = await fetch(url, { method, headers: { 'user-agent': agent } });
      expect([path, response.status, await response.json()]).toMatchObject([
        path,
        403,
        { detail: [{ loc: ['header', 'user-agent'], type: 'loop_detected' }] },
      ]);
    }
  });

  it('by an MCP tool is answered', async () => {
    const response = await fetch(`${host.url}/assistants`, { headers: { 'user-agent': mcp } });
    expect(response.status).toBe(401);
  });

  it('for a webhook is a failed delivery, so that no event causes the next', async () => {
    const { id } = await createWebhook(user, {
      url: `${host.url}/assistants`,
      events: ['assistant.created'],
      headers: { authorization: `Bearer ${user.token}` },
    });
    await user.post('/assistants', minimal);
    const attempt = await eventually(async () => {
      const [first] = (await listDeliveries(user, id))[0]?.history ?? [];
      if (!first) throw new Error('not delivered yet');
      return first;
    });
    expect(attempt).toMatchObject({ status: 403, answer: expect.stringContaining('loop_detected') });
  });

  it('for a language model is an error of the vendor', async () => {
    await user.post('/user-credentials', { service_type: 'openai', api_key: user.token });
    const { body } = await user.post<{ id: string }>('/assistants', minimal);
    await user.put(`/assistants/${body.id}`, { llm: { model: body.id, base_url: host.url } });
    const messages = [{ role: 'user', content: 'Hello' }];
    const { status, text } = await user.post('/chat/completions', { model: body.id, messages });
    expect([status, text]).toEqual([424, expect.stringContaining('may not be this API')]);
  });
});
