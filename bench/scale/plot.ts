import { quantile } from '../corpus.ts';
import type { RequestKind } from './requests.ts';
import type { Scale } from './results.ts';

/** Labels of the lines, by kind of request. */
const lineLabels: Record<RequestKind, string> = {
  read: 'reads by key',
  write: 'writes',
  list: 'pages of lists',
  whole: 'filters and skips',
};

const width = 760;
const height = 400;
const plot = { left: 64, right: 560, top: 56, bottom: 344 };
/** Range of the vertical axis: the ratio to the smallest amount of data. */
const minRatio = 0.5;
const maxRatio = 100;

/** Vertical distance between the labels of neighbouring lines. */
const labelSpacing = 19;

const toY = (ratio: number) =>
  plot.bottom - ((plot.bottom - plot.top) * Math.log(ratio / minRatio)) / Math.log(maxRatio / minRatio);

const toCssVariables = (of: Record<RequestKind | 'ink' | 'faint' | 'ground', string>) =>
  Object.entries(of)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ');

const style = `
svg { ${toCssVariables({ ink: '#1f2328', faint: '#59636e', ground: '#ffffff', read: '#0969da', write: '#1a7f37', list: '#bc4c00', whole: '#8250df' })} }
@media (prefers-color-scheme: dark) {
  svg { ${toCssVariables({ ink: '#f0f6fc', faint: '#7d8590', ground: '#0d1117', read: '#4493f8', write: '#3fb950', list: '#f0883e', whole: '#ab7df8' })} }
}
text { font: 13px system-ui, sans-serif; fill: var(--ink); }
.title { font-weight: 600; font-size: 15px; }
.faint { fill: var(--faint); }
.grid { stroke: var(--faint); stroke-opacity: 0.35; }
.data { stroke: var(--faint); stroke-width: 1.5; stroke-dasharray: 5 5; }
path { fill: none; stroke-width: 2.25; }
.leader { stroke-opacity: 0.5; stroke-width: 1; }
${Object.keys(lineLabels)
  .map((kind) => `.${kind} { stroke: var(--${kind}); }`)
  .join('\n')}`;

/** Places the labels at the ends of the lines without overlaps. */
function placeLabels(ends: { kind: RequestKind; ratio: number }[]): { kind: RequestKind; ratio: number; y: number }[] {
  const sorted = ends.toSorted((one, other) => other.ratio - one.ratio);
  const middle = sorted.filter(({ kind }) => kind !== 'whole');
  const centre = middle.reduce((sum, { ratio }) => sum + toY(ratio), 0) / middle.length;
  return sorted.map(({ kind, ratio }) => {
    const place = middle.findIndex((one) => one.kind === kind);
    return { kind, ratio, y: place < 0 ? toY(ratio) : centre + labelSpacing * (place - (middle.length - 1) / 2) };
  });
}

/** Builds docs/scale.svg: the growth of CPU time with ten and a hundred times the data. */
export function buildPlot({ amounts, requests }: Scale): string {
  const times = amounts.map((amount) => amount.times);
  const [last = 1] = times.slice(-1);
  const toX = (one: number) => plot.left + ((plot.right - plot.left) * Math.log(one)) / Math.log(last);
  const formatPoint = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const getRatio = (kind: RequestKind, i: number) =>
    quantile(
      requests.filter((one) => one.kind === kind).map((one) => one.at[i]?.time.median ?? Number.NaN),
      0.5,
    );
  const kinds = Object.keys(lineLabels) as RequestKind[];
  const ends = kinds.map((kind) => ({ kind, ratio: getRatio(kind, times.length - 1) }));

  const grid = [1, 10, 100].map(
    (ratio) =>
      `<line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${toY(ratio).toFixed(1)}" y2="${toY(ratio).toFixed(1)}"/>` +
      `<text class="faint" x="${plot.left - 10}" y="${(toY(ratio) + 4).toFixed(1)}" text-anchor="end">${ratio} ×</text>`,
  );
  const ticks = amounts.map(
    (amount) =>
      `<text x="${toX(amount.times).toFixed(1)}" y="${plot.bottom + 22}" text-anchor="middle">${amount.times} ×</text>` +
      `<text class="faint" x="${toX(amount.times).toFixed(1)}" y="${plot.bottom + 40}" text-anchor="middle">${amount.rows.toLocaleString('en')} rows</text>`,
  );
  const data =
    `<line class="data" x1="${plot.left}" y1="${toY(1).toFixed(1)}" x2="${plot.right}" y2="${toY(last).toFixed(1)}"/>` +
    `<text class="faint" x="${plot.right + 12}" y="${(toY(last) + 4).toFixed(1)}">the data itself</text>`;
  const drawn = kinds.map((kind) => {
    const points = times.map((one, i) => formatPoint(toX(one), toY(getRatio(kind, i))));
    const dots = points.map((point) => `<circle cx="${point.replace(' ', '" cy="')}" r="3.5" fill="var(--${kind})"/>`);
    return `<path class="${kind}" d="M${points.join(' L')}"/>${dots.join('')}`;
  });
  const names = placeLabels(ends).map(
    ({ kind, ratio, y }) =>
      `<path class="${kind} leader" d="M${formatPoint(plot.right + 5, toY(ratio))} L${formatPoint(plot.right + 18, y)}"/>` +
      `<text x="${plot.right + 22}" y="${(y + 4).toFixed(1)}">${lineLabels[kind]}, ${ratio.toFixed(2)} ×</text>`,
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
