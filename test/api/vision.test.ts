import { rmSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { toUserKey } from '../../shared/store/table/keys.ts';
import { createUser, deployed, listFaults } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { minimal } from '../support/assistants.ts';
import { listObjectFiles } from '../support/files.ts';
import { uploadAndWait } from '../support/knowledge-bases.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import { answerModel } from '../support/vendor.ts';

const user = await createUser();
const vendor = await startReceiver();
afterAll(() => vendor.stop());
await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-canary-of-vision' });
const llm = { model: 'gpt-4.1-mini', base_url: vendor.url.replace(/\/hook$/, '/v1') };
const { body: assistant } = await user.post<Assistant>('/assistants', {
  ...minimal,
  system_instruction: 'You look at pictures for {{ clinic }}.',
  variables: { clinic: { type: 'string' } },
  llm,
});

const pixel = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')}`;

beforeEach(() => {
  vendor.requests.length = 0;
  vendor.script = answerModel({ text: 'A tooth.' });
});

const analyze = (fields: object = {}, client = user) =>
  client.post<{ data: object }>('/vision/analyze', {
    assistant_id: assistant.id,
    image: pixel,
    question: 'What is it?',
    ...fields,
  });

describe('a question about an image', () => {
  it("is answered by the assistant's model, which sees the image and the prompt", async () => {
    const { status, body } = await analyze({ variables: { clinic: 'Northside' } }, await createWorker(user, ['chat']));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      answer: 'A tooth.',
      assistant_id: assistant.id,
      version: null,
      usage: { total_tokens: 25 },
    });
    const [system, , question] = JSON.parse(vendor.requests[0]?.body ?? '').messages;
    expect(system.content).toBe('You look at pictures for Northside.');
    expect(question.content).toEqual([
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: pixel } },
    ]);
  });

  it.skipIf(deployed)('may be answered with a document, and by a credential of its own', async () => {
    await user.post('/user-credentials', { service_type: 'openai', name: 'second', api_key: 'sk-second' });
    const tools = [{ type: 'search', name: 'look_up', description: 'Finds passages' }];
    const { body } = await user.post<Assistant>('/assistants', {
      ...minimal,
      tools,
      llm: { ...llm, credential: 'second' },
    });
    const kept = await uploadAndWait(user, 'A molar has three roots.', 'teeth.txt');
    const lost = await uploadAndWait(user, 'Its index is lost.', 'lost.txt');
    const { url } = await LocalIssuer.open(inject('dataDir'));
    const files = listObjectFiles(`passages/${toUserKey(url, user.sub)}`);
    for (const file of files.filter((name) => name.includes(lost.id))) rmSync(file);
    for (const { id } of [kept, lost]) await user.put(`/assistants/${body.id}/knowledge-bases/${id}`, {});
    vendor.script = (response, request, number) => {
      const isFirst = !request.body.includes('tool_call_id');
      const said = isFirst ? { calls: [{ name: 'look_up', arguments: { query: 'molar' } }] } : { text: 'Three.' };
      answerModel(said)(response, request, number);
    };
    expect((await analyze({ assistant_id: body.id })).body.data).toMatchObject({ answer: 'Three.' });
    expect(vendor.requests[0]?.headers.authorization).toBe('Bearer sk-second');
    expect(vendor.requests[1]?.body).toContain('three roots');
  });

  it('takes an image of four megabytes, and the address of one', async () => {
    const large = `data:image/jpeg;base64,${'A'.repeat(4_000_000)}`;
    expect((await analyze({ image: large })).status).toBe(200);
    expect((await analyze({ image: 'https://example.com/tooth.png' })).status).toBe(200);
  });

  it('gets the refusal of the vendor, without the key', async () => {
    vendor.script = answer(400, '{"error": {"message": "No images, sk-canary-of-vision"}}');
    const reply = await analyze();
    expect([reply.status, listFaults(reply)]).toEqual([424, ['service.vendor: vendor_error']]);
    expect(reply.text).toContain('No images');
    expect(reply.text).not.toContain('sk-canary');
  });

  it.for([
    'http://example.com/tooth.png',
    'file:///etc/passwd',
    'data:text/html;base64,AAAA',
    'data:image/svg+xml;base64,AAAA',
    'data:image/png;base64,',
    'data:image/png;base64,not base64',
    '',
  ])('is refused for the image %j', async (image) => {
    const reply = await analyze({ image });
    expect([reply.status, listFaults(reply)]).toEqual([422, ['body.image: image']]);
    expect(vendor.requests.length).toBe(0);
  });
});
