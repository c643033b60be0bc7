import type { Log } from '../../api/types.ts';

/** One step of a conversation, as it is shown. */
export interface Turn {
  /** Its number in the call, from 1: what links name. */
  number: number;
  /** What was said, a tool that was called, or anything else. */
  kind: 'said' | 'tool' | 'event';
  log: Log;
  /** What the tool answered, where that is an item of its own. */
  result: Log | undefined;
  /** Seconds that the tool took; undefined where either time is not known. */
  took: number | undefined;
  /** Seconds from the start of the call; undefined where nobody says. */
  at: number | undefined;
  /** Seconds since the turn before began; undefined where either time is not known. */
  gap: number | undefined;
}

const kinds: Record<Log['type'], Turn['kind']> = {
  message: 'said',
  function_call: 'tool',
  function_call_output: 'tool',
  event: 'event',
};

/** Seconds from the start of the call: as the item says, or else from the first item that has a time. */
function clockOf(logs: readonly Log[]): (log: Log) => number | undefined {
  const first = logs.find(({ timestamp }) => timestamp !== null);
  const origin = first?.timestamp ? Date.parse(first.timestamp) - (first.offset_seconds ?? 0) * 1000 : undefined;
  return ({ offset_seconds, timestamp }) => {
    if (offset_seconds !== null) return offset_seconds;
    return timestamp === null || origin === undefined ? undefined : (Date.parse(timestamp) - origin) / 1000;
  };
}

/** A call whose answer is still looked for: by its id or, without one, the last call before the answer. */
function takeCall(open: Turn[], output: Log): Turn | undefined {
  const index = open.findLastIndex(({ log }) => output.call_id === null || log.call_id === output.call_id);
  return index < 0 ? undefined : open.splice(index, 1)[0];
}

/** The turns of a transcript, in order. What a tool answers belongs to its call, wherever it stands. */
export function turnsOf(logs: readonly Log[]): Turn[] {
  const secondsOf = clockOf(logs);
  const turns: Turn[] = [];
  const open: Turn[] = [];
  let before: number | undefined;
  for (const log of logs) {
    const call = log.type === 'function_call_output' ? takeCall(open, log) : undefined;
    if (call) {
      const end = secondsOf(log);
      call.result = log;
      call.took = end === undefined || call.at === undefined ? undefined : Math.max(0, end - call.at);
      continue;
    }
    const at = secondsOf(log);
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

/** Where in a list the turn of a number is; an answer's number is that of its call's turn. Undefined where there is none. */
export function placeOf(turns: readonly Turn[], number: number): number | undefined {
  const place = turns.findIndex((turn) => turn.number === number || turn.result?.index === number - 1);
  return place >= 0 ? place : undefined;
}

/** Where in a list the turn is that goes on at so many seconds of the call; undefined where no turn has a time. */
export function placeAt(turns: readonly Turn[], seconds: number): number | undefined {
  const place = turns.findLastIndex(({ at }) => at !== undefined && at <= seconds);
  if (place >= 0) return place;
  const first = turns.findIndex(({ at }) => at !== undefined);
  return first >= 0 ? first : undefined;
}
