import type { TextPart } from '../../ui/text/highlighted-text.tsx';
import type { Turn } from './turns.ts';

/** Builds a case-insensitive pattern for a literal text; undefined if the text is blank. */
export function toSearchPattern(typed: string): RegExp | undefined {
  const text = typed.trim();
  return text === '' ? undefined : new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
}

/** Formats a value for people. Indents JSON, even inside a string. */
export function formatValue(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2) ?? '';
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null ? JSON.stringify(parsed, null, 2) : value;
  } catch {
    return value;
  }
}

/** Lists the texts of a turn. */
export const listTexts = ({ kind, log, result }: Turn): string[] =>
  kind === 'tool'
    ? [log.name ?? '', ...[log.arguments, log.output, result?.output].filter((value) => value != null).map(formatValue)]
    : [log.content ?? log.name ?? ''];

/** Returns the indices of the turns that match. */
export const findTurns = (turns: readonly Turn[], sought: RegExp): number[] =>
  turns.flatMap((turn, index) => (listTexts(turn).some((text) => text.search(sought) >= 0) ? [index] : []));

/** Splits a text into matching and other parts, in order. */
export function markMatches(text: string, sought: RegExp | undefined): TextPart[] {
  if (!sought) return [{ text, isMatch: false }];
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(sought)) {
    if (index > end) parts.push({ text: text.slice(end, index), isMatch: false });
    parts.push({ text: match, isMatch: true });
    end = index + match.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}
