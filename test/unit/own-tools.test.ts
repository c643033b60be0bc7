import { expect, test, vi } from 'vitest';

for (const name of ['OUTBOUND_ALLOW', 'KMS_KEY_ID', 'TABLE_NAME']) vi.stubEnv(name, '');
const { OwnTools } = await import('../../shared/conversation/own-tools.ts');

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
  expect(await tools.run(Array(20).fill(call))).toHaveLength(20);
  expect(reads).toBe(0);
});
