import { table } from '../../infra/markdown.ts';
import type { Spread } from '../compare/spread.ts';
import { quantile } from '../corpus.ts';
import { pages } from './requests.ts';
import { growing, type Point, type Scale, type Scaled } from './results.ts';

const words = { read: 'by key', write: 'write', list: 'list', whole: 'looks further' } as const;

/** What it was with each amount of data, once where it is always the same. */
const over = (numbers: number[]) => [...new Set(numbers)].join(' → ');

const ranged = ({ median, low, high }: Spread) => `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;

function rowOf({ route, what, kind, at }: Scaled): string[] {
  const each = (of: (point: Point) => number) => at.map(of);
  return [
    `\`${route}\``,
    what,
    words[kind],
    over(each(({ round_trips }) => round_trips)),
    over(each(({ read_units }) => read_units)),
    over(each(({ write_units }) => write_units)),
    String(Math.round(at[0]?.microseconds ?? 0)),
    ...at.slice(1).map(({ time }) => ranged(time)),
    each(({ memory_mb }) => Math.round(memory_mb)).join(' → '),
  ];
}

/** How much more a page takes that is twice as long, in units and in time, with the most data: of each list that has pages. */
function doubled(requests: Scaled[]): { route: string; units: number; time: number }[] {
  const [short, long] = pages.map((page) => requests.filter((one) => one.page === page));
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

/** The least and the most of some numbers. */
const fromTo = (numbers: number[]) => `${Math.min(...numbers).toFixed(2)} to ${Math.max(...numbers).toFixed(2)}`;

/** The section of docs/benchmarks.md. */
export function sectionOf(scale: Scale): string {
  const { measuredOn, amounts, requests } = scale;
  const heads = [
    ...['Route', 'Asked for', 'Kind', 'Round trips:', 'Read units:', 'Write units:', 'µs:'],
    ...amounts.slice(1).map(({ times }) => `${times} × the data, times µs:`),
    'Memory, MB:',
  ];
  const data = amounts.map(({ times, users, assistants, sessions, rows }) => {
    const counts = [users, assistants.all, assistants.ofOne, sessions.all, sessions.ofOne, rows];
    return [`${times} ×`, ...counts.map((count) => count.toLocaleString('en'))];
  });
  const flat = requests.filter(({ kind }) => kind !== 'whole');
  const times = flat.map(({ at }) => at.at(-1)?.time.median ?? Number.NaN);
  const memory = flat.map(({ at }) => (at.at(-1)?.memory_mb ?? 0) / (at[0]?.memory_mb ?? 1));
  const grown = growing(requests);
  const twice = doubled(requests);
  return `## Scale

![How much processor time requests take, with 1, 10 and 100 times the data](scale.svg)

Measured on ${measuredOn}, by \`npm run bench:scale\`.

${table(['Data', 'Users:', 'Assistants:', 'of one user:', 'Sessions:', 'of one user:', 'Rows:'], data)}

The two who have most ask. One has as many documents and credentials as assistants, and 90 of at most 100 API keys; the other has had
the sessions within a year. What anybody else asks touches partitions of their own, with less in them.

- **Units and round trips** do not grow with the data: ${grown.length === 0 ? 'of all requests that name a key, write, or take a page of a list, none takes more' : `${grown.length} requests do not hold that: ${grown.join('; ')}`}.
- **Twice the page** takes ${fromTo(twice.map(({ units }) => units))} times the read units, which are whole numbers, and ${fromTo(twice.map(({ time }) => time))} times the
  processor, part of which is the request itself.
- **Processor time** with ${amounts.at(-1)?.times} times the data is ${quantile(times, 0.5).toFixed(2)} times what it was (${fromTo(times)} of single requests, by the noise of the machine),
  **memory** ${quantile(memory, 0.5).toFixed(2)} times.
- **What looks further** than its page has bounds of its own. A filter by name reads on until it has looked at 5 MB, then its page leads on;
  \`skip\` reads what it skips, and ends at 10,000. A list of API keys reads all of them, at most 100 that live.

It is the function's own processor that is measured, by turns at each amount of data, in fresh processes; ratios are call by call, with
the range in which the true median lies with 95 % probability. What the database takes is in its units: the emulator here becomes slower
with more data, which says nothing of DynamoDB. The rows are copies of those that the service itself has written, with other names in them.

${table(heads, requests.map(rowOf))}

[A million users](scale.md) are reckoned on paper: which quota each endpoint meets first, and what to do then.
`;
}

/** A page with a section in the place of the one that it has, or at its end. */
export function withSection(page: string, section: string): string {
  const [head = ''] = section.split('\n');
  const start = page.indexOf(`\n${head}\n`);
  if (start < 0) return `${page.trimEnd()}\n\n${section}`;
  const next = page.indexOf('\n## ', start + head.length);
  return page.slice(0, start + 1) + section + (next < 0 ? '' : page.slice(next));
}
