import { calls as text } from '../../strings/calls.ts';
import { clock, span } from '../clock.ts';
import type { Turn } from './turns.ts';

const inOneLine = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ').trim();

/** A tool that was called, with what it was given and what it answered. */
function toolLine({ log, result, took }: Turn): string {
  const output = result?.output ?? log.output;
  return [
    text.tool(log.name ?? result?.name ?? text.someTool),
    ...(log.arguments === null ? [] : [inOneLine(log.arguments)]),
    ...(took === undefined ? [] : [text.toolTook(span(took))]),
    `→ ${output === null ? text.toolOpen : inOneLine(output)}`,
  ].join(' ');
}

function lineOf(turn: Turn): string {
  const { kind, log } = turn;
  if (kind === 'tool') return toolLine(turn);
  if (kind === 'event') return text.event(log.name ?? log.role);
  return `${text.speaker[log.role]}: ${inOneLine(log.content ?? '') || text.silence}`;
}

/** A transcript as one sends it to somebody: a line for each turn, `0:07 Caller: …`. Turns of no known time begin without one. */
export const plainText = (turns: readonly Turn[]): string =>
  turns.map((turn) => (turn.at === undefined ? lineOf(turn) : `${clock(turn.at)} ${lineOf(turn)}`)).join('\n');
