import { expect, test, vi } from 'vitest';

for (const name of ['OUTBOUND_ALLOW', 'KMS_KEY_ID', 'TABLE_NAME', 'BUCKET_NAME']) vi.stubEnv(name, '');
const { OwnTools } = await import('../../shared/conversation/own-tools.ts');

const { signal } = new AbortController();

test('no search starts once the time of the answer is over', async () => {
  const search = { type: 'search', name: 'find', description: '', limit: 5 } as const;
  const tools = new OwnTools('owner', { attachments: {} } as never, [search as never], () => {});
  const call = { id: 'a', type: 'function' as const, function: { name: 'find', arguments: '{"query":"x"}' } };
  const [first] = await tools.run([call], signal);
  expect(first?.is_error).toBe(false);

  const ended = new AbortController();
  setImmediate(() => setImmediate(() => ended.abort()));
  const results = await tools.run([call, call, call, call], ended.signal);
  expect(results.map(({ is_error }) => is_error)).toEqual([false, false, true, true]);
  expect(results[3]?.output).toEqual({ error: 'The time for the answer is over' });
});

test('a step that fails waits for its other calls', async () => {
  const read = vi
    .fn(() => ({}))
    .mockImplementationOnce(() => {
      throw new Error('Broken');
    });
  const assistant = Object.defineProperty({}, 'attachments', { get: read });
  const search = { type: 'search', name: 'find', description: '', limit: 5 } as const;
  const tools = new OwnTools('owner', assistant as never, [search as never], () => {});
  const asked = { type: 'function' as const, function: { name: 'find', arguments: '{"query":"x"}' } };
  let hasEnded = false;
  const second = {
    ...asked,
    get id() {
      hasEnded = true;
      return 'b';
    },
  };
  await expect(tools.run([{ id: 'a', ...asked }, second], signal)).rejects.toThrow('Broken');
  expect(hasEnded).toBe(true);
});

test('calls that find nothing do not read the passages that earlier ones found', async () => {
  const tools = new OwnTools('owner', {} as never, [], () => {});
  let reads = 0;
  tools.passages.push({
    get text() {
      reads += 1;
      return 'x';
    },
  } as never);
  const call = { id: 'a', type: 'function' as const, function: { name: 'find', arguments: '{}' } };
  expect(await tools.run(Array(20).fill(call), signal)).toHaveLength(20);
  expect(reads).toBe(0);
});
