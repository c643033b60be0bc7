import type { FunctionSpec } from '../../infra/local/function-runner.ts';
import { probe } from '../compare/probe.ts';
import { ratioOf } from '../compare/spread.ts';
import { quantile } from '../corpus.ts';
import type { Asking } from './requests.ts';
import type { Point, Scaled } from './results.ts';

/** A table that has been filled, what is asked of it, and the functions that ask it, by their routes. */
export interface Site {
  askings: Asking[];
  functions: ReadonlyMap<string, FunctionSpec>;
}

/** In each of some fresh processes: calls to warm up, then calls that are measured one by one. */
const effort = { rounds: 4, warmUp: 3, calls: 7 };

/** Requests of a process, its first one included. */
const asksOfProcess = 1 + effort.warmUp + effort.calls;

/** What a function logs of a request. */
type Line = Omit<Point, 'microseconds' | 'memory_mb'> & { route: string };

interface Series {
  lines: Line[];
  microseconds: number[];
  megabytes: number[];
}

/** Sends requests of a kind one after another, in a fresh process. Throws where one is refused. */
async function ask({ functions }: Site, { route, event }: Asking, round: number): Promise<Series> {
  const spec = functions.get(route);
  if (!spec) throw new Error(`The templates have no function ${route}`);
  const [first, ...events] = Array.from({ length: asksOfProcess }, (_, i) => event(round * asksOfProcess + i));
  const { entry, environment, memoryMb } = spec;
  const { warmUp, calls } = effort;
  const loops = [{ events, status: [200], warmUp, blocks: calls, calls: 1 }];
  const asked = await probe({ entry, first, loops, environment, memoryMb, keepsLog: true });
  if (asked.statusCode !== 200) throw new Error(`${route} answers ${asked.statusCode}:\n${asked.log}`);
  const lines: Line[] = asked.log.split('\n').flatMap((line) => (line.includes('"route"') ? [JSON.parse(line)] : []));
  const [[microseconds = []] = []] = asked.looped;
  return { lines: lines.slice(-calls), microseconds, megabytes: [asked.residentMb] };
}

const median = (numbers: number[]) => quantile(numbers, 0.5);

const pointOf = ({ lines, microseconds, megabytes }: Series): Point => ({
  round_trips: median(lines.map(({ round_trips }) => round_trips)),
  read_units: median(lines.map(({ read_units }) => read_units)),
  write_units: median(lines.map(({ write_units }) => write_units)),
  microseconds: median(microseconds),
  memory_mb: median(megabytes),
});

/** Adds what another process took. */
function add(all: Series, { lines, microseconds, megabytes }: Series): void {
  all.lines.push(...lines);
  all.microseconds.push(...microseconds);
  all.megabytes.push(...megabytes);
}

/**
 * Sends the same requests in the same order at every site, by turns, so that what else the machine does slows down all of them.
 * The first site is what others are compared with. `tell` hears what is asked.
 */
export async function measureSites(sites: Site[], tell: (what: string) => void): Promise<Scaled[]> {
  const measured: Scaled[] = [];
  for (const [i, { route, what, kind, page }] of (sites[0]?.askings ?? []).entries()) {
    tell(`${route}, ${what}`);
    const all = sites.map((): Series => ({ lines: [], microseconds: [], megabytes: [] }));
    const rounds = kind === 'whole' ? 1 : effort.rounds; // these take a second each
    for (let round = 0; round < rounds; round++) {
      const turns = all.map((series, which) => ({ series, site: sites[which], asking: sites[which]?.askings[i] }));
      const begin = round % turns.length; // none is always the one after another
      for (const { series, site, asking } of [...turns.slice(begin), ...turns.slice(0, begin)])
        if (site && asking) add(series, await ask(site, asking, round));
    }
    const least = all[0]?.microseconds ?? [];
    const at = all.map((series) => ({ ...pointOf(series), time: ratioOf(series.microseconds, least) }));
    measured.push({ route, what, kind, ...(page && { page }), at });
  }
  return measured;
}
