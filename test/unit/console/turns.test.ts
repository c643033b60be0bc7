import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Log } from '../../../console/src/api/types.ts';
import { listLatencies } from '../../../console/src/calls/transcript/latency.ts';
import { buildTurns, findIndexByTime, findTurnIndex } from '../../../console/src/calls/transcript/turns.ts';
import { toLogs } from '../../../shared/domain/transcript.ts';

const sessionId = '01a1ffb5-32ba-7528-bc64-139a946a54bb';

/** Returns a transcript as the API does. */
const toApiLogs = (items: object[]) => toLogs(sessionId, items, null) as Log[];
const readTurns = (name: string) => {
  const { transcript } = JSON.parse(readFileSync(`test/data/transcripts/${name}.json`, 'utf8'));
  return buildTurns(toApiLogs(transcript));
};
const summarize = (name: string) =>
  readTurns(name).map(({ number, kind, log, result }) => [
    number,
    kind,
    log.role,
    ...(result ? [result.index + 1] : []),
  ]);

describe('the transcripts of vendors', () => {
  test('of LiveKit join tool calls and results, and keep handoffs as events', () => {
    expect(summarize('livekit')).toEqual([
      [1, 'said', 'assistant'],
      [2, 'said', 'user'],
      [3, 'tool', 'assistant', 4],
      [5, 'said', 'assistant'],
      [6, 'said', 'user'],
      [7, 'event', 'other'],
      [8, 'said', 'assistant'],
    ]);
    expect(readTurns('livekit')[2]).toMatchObject({ at: expect.closeTo(8.907, 3), took: expect.closeTo(0.62, 3) });
  });

  test('of Vapi and ElevenLabs join tool calls and results', () => {
    expect(summarize('vapi').find(([, kind]) => kind === 'tool')).toEqual([4, 'tool', 'assistant', 5]);
    expect(summarize('elevenlabs').map(([, kind]) => kind)).toEqual(['said', 'said', 'tool', 'said']);
  });

  test('have latencies', () => {
    const [livekit] = readTurns('livekit');
    expect(livekit && listLatencies(livekit.log)).toEqual([
      { part: 'model', seconds: 0.412 },
      { part: 'voice', seconds: 0.187 },
    ]);
    const [elevenlabs] = readTurns('elevenlabs');
    expect(elevenlabs && listLatencies(elevenlabs.log)).toEqual([{ part: 'model', seconds: 0.37 }]);
  });

  test('have the times of their items', () => {
    expect(readTurns('retell').map(({ at }) => at)).toEqual([0.72, 3.4, undefined]);
    expect(readTurns('vapi')[2]).toMatchObject({ at: 5.3, gap: expect.closeTo(4.3, 3) });
  });
});

const buildCall = (id: string) => ({ type: 'function_call', name: 'f', call_id: id, arguments: '{}' });
const buildOutput = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'x' });

test('joins results to interleaved tool calls, and keeps results without a call', () => {
  const turns = buildTurns(
    toApiLogs([buildCall('a'), buildCall('b'), buildOutput('b'), buildOutput('a'), buildOutput('c')]),
  );
  expect(turns.map(({ number, result }) => [number, result?.index])).toEqual([
    [1, 3],
    [2, 2],
    [5, undefined],
  ]);
});

describe('the index of a turn', () => {
  const turns = readTurns('livekit');

  test('is found by its number, or by that of its result', () => {
    expect(findTurnIndex(turns, 3)).toBe(2);
    expect(findTurnIndex(turns, 4)).toBe(2);
    expect(findTurnIndex(turns, 8)).toBe(6);
    expect(findTurnIndex(turns, 9)).toBeUndefined();
    expect(findTurnIndex(turns, 0)).toBeUndefined();
    expect(findTurnIndex([], 1)).toBeUndefined();
  });

  test('is found by a time during the turn', () => {
    expect(findIndexByTime(turns, 0)).toBe(0);
    expect(findIndexByTime(turns, 8.5)).toBe(1);
    expect(findIndexByTime(turns, 10_000)).toBe(6);
    expect(findIndexByTime(buildTurns(toApiLogs([{ role: 'user', content: 'x' }])), 5)).toBeUndefined();
  });
});

test('keeps every item of any transcript', () => {
  const ids = fc.constantFrom('a', 'b', 'c');
  const items = fc.oneof(ids.map(buildCall), ids.map(buildOutput), fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(
    fc.property(fc.array(items), (transcript) => {
      const turns = buildTurns(toApiLogs(transcript));
      const indices = turns.flatMap(({ log, result }) => [log.index, ...(result ? [result.index] : [])]);
      expect(indices.sort((a, b) => a - b)).toEqual(transcript.map((_, index) => index));
      for (const index of indices) expect(findTurnIndex(turns, index + 1)).toBeDefined();
    }),
  );
});
