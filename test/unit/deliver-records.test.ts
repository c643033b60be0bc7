import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deliverRecords } from '../../infra/local/streams/deliver-records.ts';
import type { TableStream } from '../../infra/local/streams/stream.ts';
import { eventually } from '../support/timeouts.ts';

it('tries to trim a stream once per round, not per record, while another reader has not reported', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-delivery-'));
  const records = Array.from({ length: 1_000 }, (_, number) => ({
    dynamodb: { SequenceNumber: String(number + 1), Keys: { pk: { S: 'a' }, sk: { S: String(number) } } },
  }));
  let rounds = 0;
  const stream = {
    lastRead: { shard: '1000' },
    async *read() {
      if (rounds++ === 0) yield { shard: 'shard', records, previous: undefined };
    },
  };
  const checkpointFile = join(dir, 'checkpoint.json');
  let handledCount = 0;
  const trims: [string, string[]][] = [];
  const stop = deliverRecords(stream as unknown as TableStream, {
    checkpoint: {},
    checkpointFile,
    batchSize: 1,
    parallelism: 1,
    maxRetries: 0,
    matches: () => true,
    handle: async () => void handledCount++,
    trim: (...trim) => trims.push(trim) < 0,
    log: () => {},
  });
  await eventually(() => expect(handledCount).toBe(1_000));
  await eventually(() => expect(trims.at(-1)).toEqual(['1000', []]));
  await stop();
  expect(trims.length).toBeLessThanOrEqual(rounds);
  expect(JSON.parse(readFileSync(checkpointFile, 'utf8'))).toEqual({ shard: '1000' });
  rmSync(dir, { recursive: true });
});
