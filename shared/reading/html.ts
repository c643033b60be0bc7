import { Parser } from 'htmlparser2';
import { createLayout } from './layout.ts';
import type { Bounds } from './limits.ts';

/** Returns the text of HTML as a reader sees it, even if the markup is broken. Throws Unreadable if it is nested too deeply. */
export function parseHtml(html: string, bounds: Bounds): string {
  const { open, write, close, text } = createLayout(bounds);
  const parser = new Parser({ onopentagname: open, ontext: write, onclosetag: close });
  parser.end(html);
  return text();
}
