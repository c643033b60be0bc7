import { Parser } from 'htmlparser2';
import { type Bounds, limits } from './bounds.ts';
import { tidy } from './text.ts';
import { Unreadable } from './unreadable.ts';

const set = (names: string) => new Set(names.split(' '));

/** Nothing in these is read by a person. */
const unseen = set('script style template noscript svg math object iframe canvas audio video');

/** Elements that stand on lines of their own, and those with an empty line around. */
const lines = set(
  'address article aside body br caption dd div dl dt fieldset figcaption figure footer form header hr html legend li ' +
    'main nav ol option section select summary table tbody tfoot thead tr ul',
);
const paragraphs = set('blockquote h1 h2 h3 h4 h5 h6 p pre title');

/** What stands between the words so far and those to come, from the least to the most. */
const gaps = ['', ' ', '\n', '\n\n'] as const;
type Gap = (typeof gaps)[number];

/** Puts words together, with the widest of the gaps asked for between them. */
function writer(bounds: Bounds) {
  const parts: string[] = [];
  let gap: Gap = '';
  return {
    widen(to: Gap) {
      if (gaps.indexOf(to) > gaps.indexOf(gap)) gap = to;
    },
    put(text: string) {
      parts.push(bounds.take(gap + text));
      gap = '';
    },
    text: () => tidy(parts.join('')),
  };
}

/**
 * The text of HTML as a person reads it, broken markup included: a line for each block,
 * an empty line around paragraphs, items with their dash or number, a row of a table in one line with ` | ` between
 * its cells. Throws Unreadable where it is nested too deep.
 */
export function textOfHtml(html: string, bounds: Bounds): string {
  const { widen, put, text } = writer(bounds);
  const depth = { unseen: 0, pre: 0, cell: 0 };
  const lists: { next: number | undefined }[] = [];
  let mark = ''; // of an item that has no words yet
  let rowIsNew = false;
  let open = 0;

  /** Nothing breaks the line of a row, nor comes between an item and its mark. */
  const breakLine = (name: string) => {
    if (!lines.has(name) && !paragraphs.has(name)) return;
    if (depth.cell > 0) widen(' ');
    else if (!mark) widen(paragraphs.has(name) ? '\n\n' : '\n');
  };
  const within = (name: string): keyof typeof depth | undefined => {
    if (unseen.has(name)) return 'unseen';
    if (name === 'td' || name === 'th') return 'cell';
    return name === 'pre' ? 'pre' : undefined;
  };

  const parser = new Parser({
    onopentagname(name) {
      if (++open > limits.depth) throw new Unreadable('too_deep'); // each tag would take as long as all that are open
      const kind = within(name);
      if (kind) depth[kind]++;
      if (depth.unseen > 0) return;
      if (name === 'li') mark = '';
      breakLine(name);
      if (name === 'ol' || name === 'ul') lists.push({ next: name === 'ol' ? 1 : undefined });
      if (name === 'li') {
        const list = lists.at(-1);
        mark = list?.next === undefined ? '- ' : `${list.next++}. `;
      }
      if (name === 'tr') rowIsNew = true;
      if (kind === 'cell' && depth.cell === 1) {
        if (!rowIsNew) put('|');
        if (!rowIsNew) widen(' ');
        rowIsNew = false;
      }
    },
    ontext(data) {
      if (depth.unseen > 0) return;
      const asIs = depth.pre > 0 && depth.cell === 0;
      const words = asIs ? data : data.replace(/\s+/g, ' ');
      if (!asIs && words.startsWith(' ')) widen(' ');
      const kept = asIs ? words : words.trim();
      if (kept === '') return;
      put(mark + kept);
      mark = '';
      if (!asIs && words.endsWith(' ')) widen(' ');
    },
    onclosetag(name) {
      open--;
      const kind = within(name);
      if (kind) depth[kind] = Math.max(0, depth[kind] - 1);
      if (depth.unseen > 0) return;
      if (name === 'li') mark = '';
      if (name === 'ol' || name === 'ul') lists.pop();
      if (kind === 'cell') widen(' ');
      breakLine(name);
    },
  });
  parser.end(html);
  return text();
}
