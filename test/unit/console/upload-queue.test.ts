import { expect, it } from 'vitest';
import { type Upload, uploadQueue } from '../../../console/src/knowledge/upload/queue.ts';
import type { Following } from '../../../console/src/knowledge/upload/send.ts';

interface Sending extends Following {
  upload: Upload;
  done: () => void;
  fail: (error: unknown) => void;
}

/** A queue whose sendings end when the test says so. */
function opened(atOnce?: number) {
  const sendings: Sending[] = [];
  const queue = uploadQueue((upload, following) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    following.signal.addEventListener('abort', () => reject(following.signal.reason));
    sendings.push({ ...following, upload, done: resolve, fail: reject });
    return promise;
  }, atOnce);
  const at = (index: number): Sending => sendings[index] ?? expect.fail(`Nothing was sent as number ${index}`);
  return { queue, sendings, at, states: () => queue.all().map(({ file, state }) => `${file.name} ${state}`) };
}

const files = (...names: string[]) => names.map((name) => new File(['x'], name));
const settled = () => new Promise((resolve) => setTimeout(resolve));

it('sends a few at a time, in order, and forgets what is done', async () => {
  const { queue, at, states } = opened(2);
  queue.add(files('a', 'b', 'c'));
  expect(states()).toEqual(['a sending', 'b sending', 'c waiting']);
  at(0).done();
  await settled();
  expect(states()).toEqual(['b sending', 'c sending']);
});

it('tells how much is sent, and whom it is for', () => {
  const { queue, at } = opened();
  let calls = 0;
  queue.subscribe(() => calls++);
  queue.add(files('a'), 'assistant');
  const before = calls;
  at(0).tell(0.5);
  expect(calls).toBe(before + 1);
  expect(queue.all()).toMatchObject([{ sent: 0.5, assistantId: 'assistant' }]);
});

it('keeps what failed, with the reason, and sends it again under the same key', async () => {
  const { queue, at, states } = opened();
  queue.add(files('a'));
  const reason = new Error('no');
  at(0).fail(reason);
  await settled();
  expect(queue.all()).toMatchObject([{ state: 'failed', error: reason }]);
  queue.retry(at(0).upload.id);
  expect(states()).toEqual(['a sending']);
  expect(at(1).upload.key).toBe(at(0).upload.key);
});

it('ends what is cancelled, and goes on with the next', async () => {
  const { queue, at, states } = opened(1);
  queue.add(files('a', 'b'));
  queue.cancel(at(0).upload.id);
  expect(at(0).signal.aborted).toBe(true);
  await settled();
  expect(states()).toEqual(['b sending']);
});

it('never sends what is cancelled while it waits', async () => {
  const { queue, sendings, at } = opened(1);
  queue.add(files('a', 'b'));
  queue.cancel(queue.all()[1]?.id ?? '');
  at(0).done();
  await settled();
  expect(queue.all()).toEqual([]);
  expect(sendings).toHaveLength(1);
});
