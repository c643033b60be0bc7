import type { FunctionSpec } from '../../infra/local/lambda/function-runner.ts';
import { probe } from '../compare/probe.ts';
import { toRatio } from '../compare/spread.ts';
import { quantile } from '../corpus.ts';
import type { ScaleRequest } from './requests.ts';
import type { Measurement, ScaledRequest } from './results.ts';

/** Requests for a filled table, and the functions by route. */
export interface Site {
  requests: ScaleRequest[];
  functions: ReadonlyMap<string, FunctionSpec>;
}

/** Effort per request: fresh processes (rounds), calls to warm up, and calls that are measured one by one. */
const effort = { rounds: 4, warmUp: 3, calls: 7 };

/** Number of requests per process, including the first one. */
const requestsPerProcess = 1 + effort.warmUp + effort.calls;

/** Log line of a request. */
type Line = Omit<Measurement, 'microseconds' | 'memory_mb'> & { route: string };

interface Series {
  lines: Line[];
  microseconds: number[];
  megabytes: number[];
}

/** Sends requests one after another to a fresh process. Throws if one fails. */
async function measureProcess({ functions }: Site, { route, event }: ScaleRequest, round: number): Promise<Series> {
  const spec = functions.get(route);
  if (!spec) throw new Error(`The templates have no function ${route}`);
  const [first, ...events] = Array.from({ length: requestsPerProcess }, (_, i) =>
    event(round * requestsPerProcess + i),
  );
  const { entry, environment, memoryMb } = spec;
  const { warmUp, calls } = effort;
  const loops = [{ events, status: [200], warmUp, blocks: calls, calls: 1 }];
  const asked = await probe({ entry, first, loops, environment, memoryMb, capturesLog: true });
  if (asked.statusCode !== 200) throw new Error(`${route} answers ${asked.statusCode}:\n${asked.log}`);
  const lines: Line[] = asked.log.split('\n').flatMap((line) => (line.includes('"route"') ? [JSON.parse(line)] : []));
  const [[microseconds = []] = []] = asked.looped;
  return { lines: lines.slice(-calls), microseconds, megabytes: [asked.residentMb] };
}

const median = (numbers: number[]) => quantile(numbers, 0.5);

const toMeasurement = ({ lines, microseconds, megabytes }: Series): Measurement => ({
  round_trips: median(lines.map(({ round_trips }) => round_trips)),
  read_units: median(lines.map(({ read_units }) => read_units)),
  write_units: median(lines.map(({ write_units }) => write_units)),
  microseconds: median(microseconds),
  memory_mb: median(megabytes),
});

/** Adds the measurements of another process. */
function addSeries(all: Series, { lines, microseconds, megabytes }: Series): void {
  all.lines.push(...lines);
  all.microseconds.push(...microseconds);
  all.megabytes.push(...megabytes);
}

/**
 * Sends the same requests in the same order to every site. The sites take turns, so that other load on the machine slows down all of
 * them. The first site is the baseline. Calls `onProgress` with each request.
 */
export async function measureSites(sites: Site[], onProgress: (what: string) => void): Promise<ScaledRequest[]> {
  const measured: ScaledRequest[] = [];
  for (const [i, { route, what, kind, page, isLimited }] of (sites[0]?.requests ?? []).entries()) {
    onProgress(`${route}, ${what}`);
    const all = sites.map((): Series => ({ lines: [], microseconds: [], megabytes: [] }));
    const rounds = kind === 'whole' || isLimited ? 1 : effort.rounds; // each takes a second
    for (let round = 0; round < rounds; round++) {
      const turns = all.map((series, which) => ({ series, site: sites[which], asking: sites[which]?.requests[i] }));
      const begin = round % turns.length; // rotates, so that no site always follows the same one
      for (const { series, site, asking } of [...turns.slice(begin), ...turns.slice(0, begin)])
        if (site && asking) addSeries(series, await measureProcess(site, asking, round));
    }
    const baseline = all[0]?.microseconds ?? [];
    const at = all.map((series) => ({ ...toMeasurement(series), time: toRatio(series.microseconds, baseline) }));
    measured.push({ route, what, kind, ...(page && { page }), at });
  }
  return measured;
}
