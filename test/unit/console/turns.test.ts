import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Log } from '../../../console/src/api/types.ts';
import { latenciesOf } from '../../../console/src/calls/transcript/latency.ts';
import { placeAt, placeOf, turnsOf } from '../../../console/src/calls/transcript/turns.ts';
import { shownLogs } from '../../../shared/domain/transcript.ts';

const sessionId = '01a1ffb5-32ba-7528-bc64-139a946a54bb';

/** A transcript as the service shows it. */
const logsOf = (items: object[]) => shownLogs(sessionId, items, null) as Log[];
const turnsIn = (name: string) => {
  const { transcript } = JSON.parse(readFileSync(`test/data/transcripts/${name}.json`, 'utf8'));
  return turnsOf(logsOf(transcript));
};
const told = (name: string) =>
  turnsIn(name).map(({ number, kind, log, result }) => [number, kind, log.role, ...(result ? [result.index + 1] : [])]);

describe('the transcripts of the vendors', () => {
  it('of LiveKit: a tool has its answer, a handoff is an event', () => {
    expect(told('livekit')).toEqual([
      [1, 'said', 'assistant'],
      [2, 'said', 'user'],
      [3, 'tool', 'assistant', 4],
      [5, 'said', 'assistant'],
      [6, 'said', 'user'],
      [7, 'event', 'other'],
      [8, 'said', 'assistant'],
    ]);
    expect(turnsIn('livekit')[2]).toMatchObject({ at: expect.closeTo(8.907, 3), took: expect.closeTo(0.62, 3) });
  });

  it('of Vapi and ElevenLabs', () => {
    expect(told('vapi').find(([, kind]) => kind === 'tool')).toEqual([4, 'tool', 'assistant', 5]);
    expect(told('elevenlabs').map(([, kind]) => kind)).toEqual(['said', 'said', 'tool', 'said']);
  });

  it('tell what took how long', () => {
    const [livekit] = turnsIn('livekit');
    expect(livekit && latenciesOf(livekit.log)).toEqual([
      { part: 'model', seconds: 0.412 },
      { part: 'voice', seconds: 0.187 },
    ]);
    const [elevenlabs] = turnsIn('elevenlabs');
    expect(elevenlabs && latenciesOf(elevenlabs.log)).toEqual([{ part: 'model', seconds: 0.37 }]);
  });

  it('have the times that their items carry', () => {
    expect(turnsIn('retell').map(({ at }) => at)).toEqual([0.72, 3.4, undefined]);
    expect(turnsIn('vapi')[2]).toMatchObject({ at: 5.3, gap: expect.closeTo(4.3, 3) });
  });
});

const call = (id: string) => ({ type: 'function_call', name: 'f', call_id: id, arguments: '{}' });
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'x' });

it('brings answers to their calls where they cross, and leaves those of no call by themselves', () => {
  const turns = turnsOf(logsOf([call('a'), call('b'), output('b'), output('a'), output('c')]));
  expect(turns.map(({ number, result }) => [number, result?.index])).toEqual([
    [1, 3],
    [2, 2],
    [5, undefined],
  ]);
});

describe('places', () => {
  const turns = turnsIn('livekit');

  it('of a number, that of an answer too', () => {
    expect(placeOf(turns, 3)).toBe(2);
    expect(placeOf(turns, 4)).toBe(2);
    expect(placeOf(turns, 8)).toBe(6);
    expect(placeOf(turns, 9)).toBeUndefined();
    expect(placeOf(turns, 0)).toBeUndefined();
    expect(placeOf([], 1)).toBeUndefined();
  });

  it('of a time: what goes on then', () => {
    expect(placeAt(turns, 0)).toBe(0);
    expect(placeAt(turns, 8.5)).toBe(1);
    expect(placeAt(turns, 10_000)).toBe(6);
    expect(placeAt(turnsOf(logsOf([{ role: 'user', content: 'x' }])), 5)).toBeUndefined();
  });
});

it('loses no item, whatever the transcript', () => {
  const ids = fc.constantFrom('a', 'b', 'c');
  const items = fc.oneof(ids.map(call), ids.map(output), fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(
    fc.property(fc.array(items), (transcript) => {
      const turns = turnsOf(logsOf(transcript));
      const indices = turns.flatMap(({ log, result }) => [log.index, ...(result ? [result.index] : [])]);
      expect(indices.sort((a, b) => a - b)).toEqual(transcript.map((_, index) => index));
      for (const index of indices) expect(placeOf(turns, index + 1)).toBeDefined();
    }),
  );
});
