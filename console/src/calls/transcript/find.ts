import type { Piece } from '../../ui/pieces.tsx';
import type { Turn } from './turns.ts';

/** A text to find, as it stands, in any case; undefined for none. */
export function finding(typed: string): RegExp | undefined {
  const text = typed.trim();
  return text === '' ? undefined : new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
}

/** A value as people read it: JSON that came as a text, too. */
export function written(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2) ?? '';
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null ? JSON.stringify(parsed, null, 2) : value;
  } catch {
    return value;
  }
}

/** All that is written in a turn. */
export const textsOf = ({ kind, log, result }: Turn): string[] =>
  kind === 'tool'
    ? [log.name ?? '', ...[log.arguments, log.output, result?.output].filter((value) => value != null).map(written)]
    : [log.content ?? log.name ?? ''];

/** Where in a list the turns are that hold what is looked for. */
export const found = (turns: readonly Turn[], sought: RegExp): number[] =>
  turns.flatMap((turn, place) => (textsOf(turn).some((text) => text.search(sought) >= 0) ? [place] : []));

/** The pieces of a text, in order and whole, of which those are marked that are looked for. */
export function marking(text: string, sought: RegExp | undefined): Piece[] {
  if (!sought) return [{ text, isMarked: false }];
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(sought)) {
    if (index > end) pieces.push({ text: text.slice(end, index), isMarked: false });
    pieces.push({ text: match, isMarked: true });
    end = index + match.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMarked: false });
  return pieces;
}
