import { formatTable } from '../../infra/terminal/markdown.ts';
import type { Spread } from '../compare/spread.ts';
import { quantile } from '../corpus.ts';
import { pageSizes } from './requests.ts';
import { listGrowing, type Measurement, type Scale, type ScaledRequest } from './results.ts';

const kindLabels = { read: 'by key', write: 'write', list: 'list', whole: 'scan' } as const;

/** Formats the values with each amount of data; a single value if they are all equal. */
const formatChange = (numbers: number[]) => [...new Set(numbers)].join(' → ');

const formatSpread = ({ median, low, high }: Spread) =>
  `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;

function formatRow({ route, what, kind, at }: ScaledRequest): string[] {
  const each = (of: (point: Measurement) => number) => at.map(of);
  return [
    `\`${route}\``,
    what,
    kindLabels[kind],
    formatChange(each(({ round_trips }) => round_trips)),
    formatChange(each(({ read_units }) => read_units)),
    formatChange(each(({ write_units }) => write_units)),
    String(Math.round(at[0]?.microseconds ?? 0)),
    ...at.slice(-1).map(({ time }) => formatSpread(time)),
    each(({ memory_mb }) => Math.round(memory_mb)).join(' → '),
  ];
}

/** Returns the cost ratio of a page to one half its size, for each list with pages, with the most data. */
function comparePageSizes(requests: ScaledRequest[]): { route: string; units: number; time: number }[] {
  const [short, long] = pageSizes.map((page) => requests.filter((one) => one.page === page));
  return (short ?? []).flatMap((one) => {
    const [less, more] = [one, long?.find(({ route }) => route === one.route)].map((found) => found?.at.at(-1));
    if (!less || !more) return [];
    return [
      {
        route: one.route,
        units: more.read_units / less.read_units,
        time: more.microseconds / less.microseconds,
      },
    ];
  });
}

/** Formats the range of some numbers. */
const formatMinMax = (numbers: number[]) => `${Math.min(...numbers).toFixed(2)} to ${Math.max(...numbers).toFixed(2)}`;

/** Builds the section of docs/benchmarks.md. */
export function buildSection(scale: Scale): string {
  const { measuredOn, amounts, requests } = scale;
  const heads = [
    ...['Route', 'Request', 'Kind', 'Round trips:', 'Read units:', 'Write units:', 'µs:'],
    ...amounts.slice(-1).map(({ times }) => `${times} × the data, ratio:`),
    'Memory, MB:',
  ];
  const data = amounts.map(({ times, users, assistants, sessions, rows }) => {
    const counts = [users, assistants.all, assistants.ofOne, sessions.all, sessions.ofOne, rows];
    return [`${times} ×`, ...counts.map((count) => count.toLocaleString('en'))];
  });
  const flat = requests.filter(({ kind }) => kind !== 'whole');
  const times = flat.map(({ at }) => at.at(-1)?.time.median ?? Number.NaN);
  const memory = flat.map(({ at }) => (at.at(-1)?.memory_mb ?? 0) / (at[0]?.memory_mb ?? 1));
  const grown = listGrowing(requests);
  const twice = comparePageSizes(requests);
  return `## Scale

![CPU time of requests with 1, 10 and 100 times the data](scale.svg)

Measured on ${measuredOn}, by \`npm run bench:scale\`.

${formatTable(['Data', 'Users:', 'Assistants:', 'of one user:', 'Sessions:', 'of one user:', 'Rows:'], data)}

The requests come from the two users with the most data. One has as many documents and credentials as assistants, and 90 of at most 100
API keys; the other had the sessions within a year. All other users have smaller partitions.

- **Units and round trips** do not grow with the data${grown.length === 0 ? ', for all requests that read by key, write, or list a page' : `, except for ${grown.length} requests: ${grown.join('; ')}`}.
- **Twice the page size** takes ${formatMinMax(twice.map(({ units }) => units))} times the read units, which are whole numbers, and ${formatMinMax(twice.map(({ time }) => time))} times the
  CPU time, part of which is the fixed cost of a request.
- **CPU time** with ${amounts.at(-1)?.times} times the data is ${quantile(times, 0.5).toFixed(2)} times the original (${formatMinMax(times)} for single requests, due to noise),
  **memory** ${quantile(memory, 0.5).toFixed(2)} times.
- **Scans** read more than their page, up to a limit. A filter by name stops after 5 MB and returns a link to the next page;
  \`skip\` reads what it skips, up to 10,000. A list of API keys reads all of them, at most 100 active ones.

Times are the function's CPU times, in fresh processes that take turns between the amounts of data. Ratios compare call by call, with the
95 % confidence interval of the median. Units show the cost in the database: the emulator slows down with more data, which says nothing
about DynamoDB. The rows are copies of rows that the service has written, with other ids and names.

${formatTable(heads, requests.map(formatRow))}

[A million users](scale.md) estimates which quota each endpoint reaches first, and what to do then.
`;
}

/** Replaces a section of a page by its heading, or appends it if the page has none. */
export function replaceSection(page: string, section: string): string {
  const [head = ''] = section.split('\n');
  const start = page.indexOf(`\n${head}\n`);
  if (start < 0) return `${page.trimEnd()}\n\n${section}`;
  const next = page.indexOf('\n## ', start + head.length);
  return page.slice(0, start + 1) + section + (next < 0 ? '' : page.slice(next));
}
