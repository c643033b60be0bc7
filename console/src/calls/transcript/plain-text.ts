import { calls as text } from '../../strings/calls.ts';
import { formatClock, formatDuration } from '../clock.ts';
import type { Turn } from './turns.ts';

const toOneLine = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ').trim();

/** Formats a tool call with its arguments and result. */
function formatToolTurn({ log, result, took }: Turn): string {
  const output = result?.output ?? log.output;
  return [
    text.tool(log.name ?? result?.name ?? text.someTool),
    ...(log.arguments === null ? [] : [toOneLine(log.arguments)]),
    ...(took === undefined ? [] : [text.toolTook(formatDuration(took))]),
    `→ ${output === null ? text.toolOpen : toOneLine(output)}`,
  ].join(' ');
}

function formatTurn(turn: Turn): string {
  const { kind, log } = turn;
  if (kind === 'tool') return formatToolTurn(turn);
  if (kind === 'event') return text.event(log.name ?? log.role);
  return `${text.speaker[log.role]}: ${toOneLine(log.content ?? '') || text.silence}`;
}

/**
 * Formats a transcript as plain text, one line per turn: `0:07 Caller: …`. A turn of unknown time has no time prefix.
 */
export const toPlainText = (turns: readonly Turn[]): string =>
  turns
    .map((turn) => (turn.at === undefined ? formatTurn(turn) : `${formatClock(turn.at)} ${formatTurn(turn)}`))
    .join('\n');
