import type { Log } from '../../api/types.ts';

/** One step of a conversation, as shown. */
export interface Turn {
  /** Number in the call, from 1. Links contain it. */
  number: number;
  /** Speech, a tool call, or any other event. */
  kind: 'said' | 'tool' | 'event';
  log: Log;
  /** The tool's result, if it is a separate item. */
  result: Log | undefined;
  /** Seconds that the tool took; undefined if a time is unknown. */
  took: number | undefined;
  /** Seconds from the start of the call; undefined if unknown. */
  at: number | undefined;
  /** Seconds since the start of the previous turn; undefined if a time is unknown. */
  gap: number | undefined;
}

const kinds: Record<Log['type'], Turn['kind']> = {
  message: 'said',
  function_call: 'tool',
  function_call_output: 'tool',
  event: 'event',
};

/**
 * Creates a function that returns an item's seconds from the start of the call: its own offset, or else computed from
 * the first item with a timestamp.
 */
function createTimeLookup(logs: readonly Log[]): (log: Log) => number | undefined {
  const first = logs.find(({ timestamp }) => timestamp !== null);
  const origin = first?.timestamp ? Date.parse(first.timestamp) - (first.offset_seconds ?? 0) * 1000 : undefined;
  return ({ offset_seconds, timestamp }) => {
    if (offset_seconds !== null) return offset_seconds;
    return timestamp === null || origin === undefined ? undefined : (Date.parse(timestamp) - origin) / 1000;
  };
}

/**
 * Removes and returns the open call that an output belongs to: the one with its id, or the last one if the output has
 * no id.
 */
function takeCall(open: Turn[], output: Log): Turn | undefined {
  const index = open.findLastIndex(({ log }) => output.call_id === null || log.call_id === output.call_id);
  return index < 0 ? undefined : open.splice(index, 1)[0];
}

/** Builds the turns of a transcript, in order. A tool's result joins its call, even if other items are in between. */
export function buildTurns(logs: readonly Log[]): Turn[] {
  const getSeconds = createTimeLookup(logs);
  const turns: Turn[] = [];
  const open: Turn[] = [];
  let before: number | undefined;
  for (const log of logs) {
    const call = log.type === 'function_call_output' ? takeCall(open, log) : undefined;
    if (call) {
      const end = getSeconds(log);
      call.result = log;
      call.took = end === undefined || call.at === undefined ? undefined : Math.max(0, end - call.at);
      continue;
    }
    const at = getSeconds(log);
    const gap = at === undefined || before === undefined ? undefined : Math.max(0, at - before);
    const turn: Turn = {
      number: log.index + 1,
      kind: kinds[log.type],
      log,
      result: undefined,
      took: undefined,
      at,
      gap,
    };
    turns.push(turn);
    before = at ?? before;
    if (log.type === 'function_call' && log.output === null) open.push(turn);
  }
  return turns;
}

/** Returns the index of the turn with a number, or undefined. The number of a tool's result finds the tool call. */
export function findTurnIndex(turns: readonly Turn[], number: number): number | undefined {
  const index = turns.findIndex((turn) => turn.number === number || turn.result?.index === number - 1);
  return index >= 0 ? index : undefined;
}

/** Returns the index of the turn that is in progress at a time of the call; undefined if no turn has a time. */
export function findIndexByTime(turns: readonly Turn[], seconds: number): number | undefined {
  const index = turns.findLastIndex(({ at }) => at !== undefined && at <= seconds);
  if (index >= 0) return index;
  const first = turns.findIndex(({ at }) => at !== undefined);
  return first >= 0 ? first : undefined;
}
