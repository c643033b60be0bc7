import { Parser } from 'htmlparser2';
import { createLayout } from './layout.ts';
import type { Bounds } from './limits.ts';

/**
 * Returns the text of HTML as a reader sees it, even if the markup is broken. Throws Unreadable if it is nested too deeply. In XHTML,
 * `<script/>` has no content.
 */
export function parseHtml(html: string, bounds: Bounds, isXhtml = /^\s*<\?xml/.test(html)): string {
  const { open, write, close, text } = createLayout(bounds);
  const handlers = { onopentagname: open, ontext: write, onclosetag: close };
  new Parser(handlers, { recognizeSelfClosing: isXhtml }).end(html);
  return text();
}
