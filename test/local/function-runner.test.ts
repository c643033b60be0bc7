import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { FunctionError, FunctionRunner } from '../../infra/local/lambda/function-runner.ts';

const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-runner-'));
const entry = join(dir, 'index.js');
const note = join(dir, 'note');
writeFileSync(
  entry,
  `exports.handler = async ({ wait = 0, start = false, dies = '' }) => {
    const child = start ? require('node:child_process').spawn('sleep', ['600']) : process;
    if (start) require('node:fs').writeFileSync(process.env.NOTE, String(child.pid));
    if (dies === 'throws') throw new Error('no');
    if (dies) process.kill(process.pid, dies);
    await new Promise((r) => setTimeout(r, wait));
    return process.pid;
  };`,
);
writeFileSync(join(dir, 'package.json'), '{"type":"commonjs"}');

/** Streams numbers as fast as they are read, up to `count`. Notes how many it has written when its stream ends. */
const streamEntry = join(dir, 'stream.js');
writeFileSync(
  streamEntry,
  `const { pipeline } = require('node:stream/promises');
  exports.handler = awslambda.streamifyResponse(async ({ count, dies }, stream) => {
    const response = awslambda.HttpResponseStream.from(stream, { statusCode: 201, headers: { 'x-a': 'b' } });
    let written = 0;
    async function* numbers() {
      for (; written < count; written++) {
        if (written === dies) process.exit(1);
        yield String(written).padEnd(8, '.').repeat(2048);
      }
    }
    await pipeline(numbers, response).finally(() => require('node:fs').writeFileSync(process.env.NOTE, String(written)));
  });`,
);

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const spec = {
  name: 'f',
  description: 'a/b',
  entry,
  environment: { NOTE: note, PATH: process.env.PATH ?? '' },
  memoryMb: 256,
  timeoutSeconds: 5,
};
const runner = new FunctionRunner(spec, () => {});
const streamer = new FunctionRunner({ ...spec, entry: streamEntry }, () => {});

afterAll(async () => {
  await Promise.all([runner.stop(), streamer.stop()]);
  rmSync(dir, { recursive: true });
});

describe('a local function', () => {
  it('reuses its process for the next event', async () => {
    expect(await runner.invoke({})).toBe(await runner.invoke({}));
  });

  it('handles one event at a time in each of up to eight processes, and queues the rest', async () => {
    const pids = await Promise.all(Array.from({ length: 20 }, () => runner.invoke({ wait: 50 })));
    expect(new Set(pids).size).toBeLessThanOrEqual(8);
    expect(new Set(pids).size).toBeGreaterThan(1);
  });

  it('drops an event that waits, once nobody waits for its answer', async () => {
    const full = Array.from({ length: 8 }, (_, i) => runner.invoke({ wait: i === 0 ? 50 : 2_000 }));
    const leaving = new AbortController();
    const dropped = runner.invoke({}, undefined, leaving.signal);
    const kept = runner.invoke({}, undefined, new AbortController().signal);
    leaving.abort();
    await expect(dropped).rejects.toThrow('Nobody waits');
    expect(await Promise.race([kept.then(() => 'kept'), Promise.all(full).then(() => 'full')])).toBe('kept');
    await expect(Promise.all(full)).resolves.toHaveLength(8);
  });

  it('survives the death of an idle process', async () => {
    for (let round = 0; round < 5; round++) {
      process.kill(Number(await runner.invoke({})), 'SIGKILL');
      // The event may reach the dying process, which is an ordinary crash.
      await runner.invoke({}).catch((error) => expect(error).toBeInstanceOf(FunctionError));
    }
    await sleep(50);
    expect(await runner.invoke({})).toBeTypeOf('number');
  });

  it('exits with its host, even if the host is killed', async () => {
    const script = `
      import { FunctionRunner } from ${JSON.stringify(join(import.meta.dirname, '../../infra/local/lambda/function-runner.ts'))};
      const runner = new FunctionRunner(${JSON.stringify(spec)}, () => {});
      const pid = await runner.invoke({});
      setImmediate(() => console.log(pid)); // after the next event is sent
      await runner.invoke({ wait: 60_000 });`;
    const host = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = await once(host.stdout, 'data');
    host.kill('SIGKILL');
    await expect.poll(() => isAlive(Number(pid))).toBe(false);
  });

  it('is killed together with its child processes', async () => {
    const hanging = new FunctionRunner({ ...spec, timeoutSeconds: 1 }, () => {});
    await expect(hanging.invoke({ start: true, wait: 60_000 })).rejects.toThrow('No answer in 1 s');
    await expect.poll(() => isAlive(Number(readFileSync(note, 'utf8')))).toBe(false);
    await hanging.stop();
  });

  it.each(['throws', 'SIGTERM', 'SIGKILL'])('takes its child processes with it when it dies (%s)', async (dies) => {
    await expect(runner.invoke({ start: true, dies, wait: 60_000 })).rejects.toThrow(FunctionError);
    await expect.poll(() => isAlive(Number(readFileSync(note, 'utf8')))).toBe(false);
  });

  it('rejects waiting and later events once it is stopped', async () => {
    const stopped = new FunctionRunner(spec, () => {});
    const events = Promise.allSettled(Array.from({ length: 20 }, () => stopped.invoke({ wait: 1_000 })));
    await stopped.stop();
    const answers = [...(await events), ...(await Promise.allSettled([stopped.invoke({})]))];
    expect(answers.map(({ status }) => status)).toEqual(Array(21).fill('rejected'));
  });
});

describe('a local function that streams', () => {
  it('has its whole response as its result if nobody takes the pieces', async () => {
    const result = (await streamer.invoke({ count: 3 })) as { statusCode: number; headers: object; body: string };
    expect(result).toMatchObject({ statusCode: 201, headers: { 'x-a': 'b' } });
    expect(result.body).toHaveLength(3 * 16_384);
  });

  it('writes on only when a piece was taken', async () => {
    let size = 0;
    let [open, mostOpen] = [0, 0];
    const take = async (chunk: Buffer) => {
      size += chunk.length;
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      await nextTurn();
      open -= 1;
    };
    await streamer.invoke({ count: 100 }, take);
    expect(size).toBeGreaterThan(100 * 16_384);
    expect(mostOpen).toBe(1);
  });

  it('hears when nobody takes its pieces any more, and stops', async () => {
    rmSync(note, { force: true });
    const gone = streamer.invoke({ count: 10_000 }, () => Promise.reject(new Error('gone')));
    await expect(gone).rejects.toThrow(FunctionError);
    expect(Number(readFileSync(note, 'utf8'))).toBeLessThan(100);
  });

  it('fails if it dies midway', async () => {
    await expect(streamer.invoke({ count: 10, dies: 3 })).rejects.toThrow('The process ended');
  });
});
