import { quantile } from '../corpus.ts';
import type { Kind } from './requests.ts';
import type { Scale } from './results.ts';

/** The lines, in the order of their colours. */
const lines: Record<Kind, string> = {
  read: 'reads by key',
  write: 'writes',
  list: 'pages of lists',
  whole: 'filters and skips',
};

const width = 760;
const height = 400;
const plot = { left: 64, right: 560, top: 56, bottom: 344 };
/** What is drawn of the vertical axis: how many times what it is with the least data. */
const least = 0.5;
const most = 100;

/** Between the names at the ends of lines, which lie close together. */
const apart = 19;

const yOf = (ratio: number) =>
  plot.bottom - ((plot.bottom - plot.top) * Math.log(ratio / least)) / Math.log(most / least);

const colours = (of: Record<Kind | 'ink' | 'faint' | 'ground', string>) =>
  Object.entries(of)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ');

const style = `
svg { ${colours({ ink: '#1f2328', faint: '#59636e', ground: '#ffffff', read: '#0969da', write: '#1a7f37', list: '#bc4c00', whole: '#8250df' })} }
@media (prefers-color-scheme: dark) {
  svg { ${colours({ ink: '#f0f6fc', faint: '#7d8590', ground: '#0d1117', read: '#4493f8', write: '#3fb950', list: '#f0883e', whole: '#ab7df8' })} }
}
text { font: 13px system-ui, sans-serif; fill: var(--ink); }
.title { font-weight: 600; font-size: 15px; }
.faint { fill: var(--faint); }
.grid { stroke: var(--faint); stroke-opacity: 0.35; }
.data { stroke: var(--faint); stroke-width: 1.5; stroke-dasharray: 5 5; }
path { fill: none; stroke-width: 2.25; }
.leader { stroke-opacity: 0.5; stroke-width: 1; }
${Object.keys(lines)
  .map((kind) => `.${kind} { stroke: var(--${kind}); }`)
  .join('\n')}`;

/** Ends of lines and the heights of their names, none of which covers another. */
function namesFor(ends: { kind: Kind; ratio: number }[]): { kind: Kind; ratio: number; y: number }[] {
  const sorted = ends.toSorted((one, other) => other.ratio - one.ratio);
  const middle = sorted.filter(({ kind }) => kind !== 'whole');
  const centre = middle.reduce((sum, { ratio }) => sum + yOf(ratio), 0) / middle.length;
  return sorted.map(({ kind, ratio }) => {
    const place = middle.findIndex((one) => one.kind === kind);
    return { kind, ratio, y: place < 0 ? yOf(ratio) : centre + apart * (place - (middle.length - 1) / 2) };
  });
}

/** docs/scale.svg: how many times the processor's time requests take, with ten and a hundred times the data. */
export function plotOf({ amounts, requests }: Scale): string {
  const times = amounts.map((amount) => amount.times);
  const [last = 1] = times.slice(-1);
  const xOf = (one: number) => plot.left + ((plot.right - plot.left) * Math.log(one)) / Math.log(last);
  const at = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const ratioOf = (kind: Kind, i: number) =>
    quantile(
      requests.filter((one) => one.kind === kind).map((one) => one.at[i]?.time.median ?? Number.NaN),
      0.5,
    );
  const kinds = Object.keys(lines) as Kind[];
  const ends = kinds.map((kind) => ({ kind, ratio: ratioOf(kind, times.length - 1) }));

  const grid = [1, 10, 100].map(
    (ratio) =>
      `<line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${yOf(ratio).toFixed(1)}" y2="${yOf(ratio).toFixed(1)}"/>` +
      `<text class="faint" x="${plot.left - 10}" y="${(yOf(ratio) + 4).toFixed(1)}" text-anchor="end">${ratio} ×</text>`,
  );
  const ticks = amounts.map(
    (amount) =>
      `<text x="${xOf(amount.times).toFixed(1)}" y="${plot.bottom + 22}" text-anchor="middle">${amount.times} ×</text>` +
      `<text class="faint" x="${xOf(amount.times).toFixed(1)}" y="${plot.bottom + 40}" text-anchor="middle">${amount.rows.toLocaleString('en')} rows</text>`,
  );
  const data =
    `<line class="data" x1="${plot.left}" y1="${yOf(1).toFixed(1)}" x2="${plot.right}" y2="${yOf(last).toFixed(1)}"/>` +
    `<text class="faint" x="${plot.right + 12}" y="${(yOf(last) + 4).toFixed(1)}">the data itself</text>`;
  const drawn = kinds.map((kind) => {
    const points = times.map((one, i) => at(xOf(one), yOf(ratioOf(kind, i))));
    const dots = points.map((point) => `<circle cx="${point.replace(' ', '" cy="')}" r="3.5" fill="var(--${kind})"/>`);
    return `<path class="${kind}" d="M${points.join(' L')}"/>${dots.join('')}`;
  });
  const names = namesFor(ends).map(
    ({ kind, ratio, y }) =>
      `<path class="${kind} leader" d="M${at(plot.right + 5, yOf(ratio))} L${at(plot.right + 18, y)}"/>` +
      `<text x="${plot.right + 22}" y="${(y + 4).toFixed(1)}">${lines[kind]}, ${ratio.toFixed(2)} ×</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<style>${style}
</style>
<rect width="${width}" height="${height}" fill="var(--ground)"/>
<text class="title" id="title" x="${plot.left}" y="28">A request’s processor time, as the data grows</text>
${[...grid, ...ticks, data, ...drawn, ...names].join('\n')}
</svg>
`;
}
