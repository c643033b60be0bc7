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

/** Sends a request of a kind again and again, in a fresh process. Throws where one is refused. */
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
  return {
    lines: lines.slice(-calls),
    microseconds: asked.looped[0]?.[0] ?? [],
    megabytes: [asked.residentMb],
  };
}

const median = (numbers: number[]) => quantile(numbers, 0.5);

const pointOf = ({ lines, microseconds, megabytes }: Series): Point => ({
  round_trips: median(lines.map(({ round_trips }) => round_trips)),
  read_units: median(lines.map(({ read_units }) => read_units)),
  write_units: median(lines.map(({ write_units }) => write_units)),
  microseconds: median(microseconds),
  memory_mb: median(megabytes),
});

/**
 * Sends every request at every site, which take turns, so that what else the machine does slows down all of them. Each site has
 * the same requests in the same order; the first one is what others are compared with. `tell` hears what is asked.
 */
export async function measureSites(sites: Site[], tell: (what: string) => void): Promise<Scaled[]> {
  const measured: Scaled[] = [];
  for (const [i, { route, what, kind, page }] of (sites[0]?.askings ?? []).entries()) {
    tell(`${route}, ${what}`);
    const series = sites.map((): Series => ({ lines: [], microseconds: [], megabytes: [] }));
    for (let round = 0; round < effort.rounds; round++) {
      for (let turn = 0; turn < sites.length; turn++) {
        const which = (round + turn) % sites.length; // none is always the one after another
        const site = sites[which] as Site;
        const asked = await ask(site, site.askings[i] as Asking, round);
        series[which]?.lines.push(...asked.lines);
        series[which]?.microseconds.push(...asked.microseconds);
        series[which]?.megabytes.push(...asked.megabytes);
      }
    }
    const least = series[0]?.microseconds ?? [];
    const at = series.map((one) => ({ ...pointOf(one), time: ratioOf(one.microseconds, least) }));
    measured.push({ route, what, kind, ...(page && { page }), at });
  }
  return measured;
}
