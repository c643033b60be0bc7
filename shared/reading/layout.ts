import { type Bounds, limits } from './limits.ts';
import { normalizeText } from './text.ts';
import { Unreadable } from './unreadable.ts';

const toSet = (names: string) => new Set(names.split(' '));

/** Elements with content that readers do not see. The annotation of a formula repeats it in another language. */
const hiddenElements = toSet(
  'script style template noscript svg annotation annotation-xml object iframe canvas audio video',
);

/** Elements on separate lines, and those with empty lines around them. */
const blockElements = toSet(
  'address article aside body br caption dd div dl dt fieldset figcaption figure footer form header hr html legend li ' +
    'main nav ol option section select summary table tbody tfoot thead tr ul',
);
const paragraphElements = toSet('blockquote h1 h2 h3 h4 h5 h6 p pre title');

/** Gaps between two pieces of text, from the narrowest to the widest. */
const gaps = ['', ' ', '\n', '\n\n'] as const;
type Gap = (typeof gaps)[number];

type TextBounds = Pick<Bounds, 'limitText'>;

/** Joins pieces of text, separated by the widest gap that was requested between them. */
function createTextWriter(bounds: TextBounds) {
  const parts: string[] = [];
  let gap: Gap = '';
  return {
    widenGap(to: Gap) {
      if (gaps.indexOf(to) > gaps.indexOf(gap)) gap = to;
    },
    write(text: string) {
      parts.push(bounds.limitText(gap + text));
      gap = '';
    },
    text: () => normalizeText(parts.join('')),
  };
}

/** Lays out the elements of a document, in their order. */
export interface Layout {
  /** Opens an element, by its name in HTML. Throws Unreadable if it is nested too deeply. */
  open(name: string): void;
  write(text: string): void;
  close(name: string): void;
  /** Returns all text so far. */
  text(): string;
}

/**
 * Creates a layout of text as a reader sees it: one line per block, empty lines around paragraphs, list items with a dash or number, and
 * one line per table row with ` | ` between the cells.
 */
export function createLayout(bounds: TextBounds): Layout {
  const { widenGap, write, text } = createTextWriter(bounds);
  const depth = { hidden: 0, pre: 0, cell: 0 };
  const lists: { next: number | undefined }[] = [];
  let marker = ''; // pending dash or number of a list item without text yet
  let rowIsNew = false;
  let open = 0;

  /** Starts a new line for a block, except within a table row or directly after a list marker. */
  const breakLine = (name: string) => {
    if (!blockElements.has(name) && !paragraphElements.has(name)) return;
    if (depth.cell > 0) widenGap(' ');
    else if (!marker) widenGap(paragraphElements.has(name) ? '\n\n' : '\n');
  };
  const findDepthKey = (name: string): keyof typeof depth | undefined => {
    if (hiddenElements.has(name)) return 'hidden';
    if (name === 'td' || name === 'th') return 'cell';
    return name === 'pre' ? 'pre' : undefined;
  };

  return {
    open(name) {
      if (++open > limits.depth) throw new Unreadable('too_deep'); // each tag takes time in proportion to the open ones
      const kind = findDepthKey(name);
      if (kind) depth[kind]++;
      if (depth.hidden > 0) return;
      if (name === 'li') marker = '';
      breakLine(name);
      if (name === 'ol' || name === 'ul') lists.push({ next: name === 'ol' ? 1 : undefined });
      if (name === 'li') {
        const list = lists.at(-1);
        marker = list?.next === undefined ? '- ' : `${list.next++}. `;
      }
      if (name === 'tr') rowIsNew = true;
      if (kind === 'cell' && depth.cell === 1) {
        if (!rowIsNew) write('|');
        if (!rowIsNew) widenGap(' ');
        rowIsNew = false;
      }
    },
    write(data) {
      if (depth.hidden > 0) return;
      const asIs = depth.pre > 0 && depth.cell === 0;
      const words = asIs ? data : data.replace(/\s+/g, ' ');
      if (!asIs && words.startsWith(' ')) widenGap(' ');
      const content = asIs ? words : words.trim();
      if (content === '') return;
      write(marker + content);
      marker = '';
      if (!asIs && words.endsWith(' ')) widenGap(' ');
    },
    close(name) {
      open--;
      const kind = findDepthKey(name);
      if (kind) depth[kind] = Math.max(0, depth[kind] - 1);
      if (depth.hidden > 0) return;
      if (name === 'li') marker = '';
      if (name === 'ol' || name === 'ul') lists.pop();
      if (kind === 'cell') widenGap(' ');
      breakLine(name);
    },
    text,
  };
}
