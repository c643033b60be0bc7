import { expect, test } from 'vitest';
import type { SendOptions } from '../../../console/src/knowledge/upload/send-upload.ts';
import { createUploadQueue, type Upload } from '../../../console/src/knowledge/upload/upload-queue.ts';

interface RunningUpload extends SendOptions {
  upload: Upload;
  done: () => void;
  fail: (error: unknown) => void;
}

/** Creates a queue with uploads that end on request of the test. */
function openQueue(maxConcurrent?: number) {
  const sendings: RunningUpload[] = [];
  const queue = createUploadQueue((upload, following) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    following.signal.addEventListener('abort', () => reject(following.signal.reason));
    sendings.push({ ...following, upload, done: resolve, fail: reject });
    return promise;
  }, maxConcurrent);
  const at = (index: number): RunningUpload => sendings[index] ?? expect.fail(`Nothing was sent as number ${index}`);
  return { queue, sendings, at, states: () => queue.getAll().map(({ file, state }) => `${file.name} ${state}`) };
}

const files = (...names: string[]) => names.map((name) => new File(['x'], name));
const waitForTasks = () => new Promise((resolve) => setTimeout(resolve));

test('runs a few uploads at a time, in order, and removes finished ones', async () => {
  const { queue, at, states } = openQueue(2);
  queue.add(files('a', 'b', 'c'));
  expect(states()).toEqual(['a sending', 'b sending', 'c waiting']);
  at(0).done();
  await waitForTasks();
  expect(states()).toEqual(['b sending', 'c sending']);
});

test('reports progress and the assistant', () => {
  const { queue, at } = openQueue();
  let calls = 0;
  queue.subscribe(() => calls++);
  queue.add(files('a'), 'assistant');
  const before = calls;
  at(0).onProgress(0.5);
  expect(calls).toBe(before + 1);
  expect(queue.getAll()).toMatchObject([{ progress: 0.5, assistantId: 'assistant' }]);
});

test('keeps a failed upload with its error, and retries with the same key', async () => {
  const { queue, at, states } = openQueue();
  queue.add(files('a'));
  const reason = new Error('no');
  at(0).fail(reason);
  await waitForTasks();
  expect(queue.getAll()).toMatchObject([{ state: 'failed', error: reason }]);
  queue.retry(at(0).upload.id);
  expect(states()).toEqual(['a sending']);
  expect(at(1).upload.key).toBe(at(0).upload.key);
});

test('aborts a cancelled upload, and starts the next', async () => {
  const { queue, at, states } = openQueue(1);
  queue.add(files('a', 'b'));
  queue.cancel(at(0).upload.id);
  expect(at(0).signal.aborted).toBe(true);
  await waitForTasks();
  expect(states()).toEqual(['b sending']);
});

test('never starts an upload that was cancelled while waiting', async () => {
  const { queue, sendings, at } = openQueue(1);
  queue.add(files('a', 'b'));
  queue.cancel(queue.getAll()[1]?.id ?? '');
  at(0).done();
  await waitForTasks();
  expect(queue.getAll()).toEqual([]);
  expect(sendings).toHaveLength(1);
});
