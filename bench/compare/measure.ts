import { type ProbeResult, probe } from './probe.ts';
import type { Bundle, Stack } from './stacks.ts';
import { type Case, caseNames, type World } from './world.ts';

/** Effort of a warm measurement: fresh processes (rounds), calls to warm up, and blocks of measured calls. */
export interface Effort {
  rounds: number;
  warmUp: number;
  blocks: number;
  calls: number;
}

/** Measured starts of a bundle, one per round. */
export interface ColdStarts {
  bundle: Bundle;
  probes: ProbeResult[];
}

/** Starts each bundle once per round and sends it the request of its endpoint. */
export async function measureCold({ environment, requests }: World, bundles: Bundle[], rounds: number) {
  const series: ColdStarts[] = bundles.map((bundle) => ({ bundle, probes: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const { bundle, probes } of series) {
      const { event, status } = requests[bundle.endpoint];
      const probed = await probe({ entry: bundle.entry, first: event, environment });
      if (!status.includes(probed.statusCode ?? 0))
        throw new Error(`${bundle.stack}, ${bundle.build}, answers ${bundle.endpoint} with ${probed.statusCode}`);
      probes.push(probed);
    }
  }
  return series;
}

/** CPU time of warm calls in microseconds, one value per block. In each block, all stacks take turns. */
export interface WarmCalls {
  stack: Stack;
  case: Case;
  microseconds: number[];
}

/** Measures repeated requests. In each round, the bundles of an endpoint take turns in one process. */
export async function measureWarm(
  { environment, requests }: World,
  bundles: Bundle[],
  effort: Effort,
): Promise<WarmCalls[]> {
  const { rounds, ...loop } = effort;
  const series = caseNames.flatMap((name) =>
    bundles
      .filter(({ endpoint }) => endpoint === requests[name].endpoint)
      .map(({ stack }): WarmCalls => ({ stack, case: name, microseconds: [] })),
  );
  for (let round = 0; round < rounds; round++) {
    for (const [endpoint, some] of Map.groupBy(bundles, (bundle) => bundle.endpoint)) {
      const own = caseNames.filter((name) => requests[name].endpoint === endpoint);
      const [entry = '', ...others] = some.map((bundle) => bundle.entry);
      const first = requests[endpoint].event;
      const loops = own.map((name) => ({ events: [requests[name].event], status: requests[name].status, ...loop }));
      const { looped } = await probe({ entry, others, first, loops, environment });
      for (const one of series.filter((found) => own.includes(found.case))) {
        const which = some.findIndex(({ stack }) => stack === one.stack);
        one.microseconds.push(...(looped[own.indexOf(one.case)]?.[which] ?? []));
      }
    }
  }
  return series;
}

/** Measures a process that handles many calls. */
export async function measureSoak({ environment, requests }: World, { endpoint, entry }: Bundle, calls: number) {
  const { event, status } = requests[endpoint];
  const loops = [{ events: [event], status, warmUp: 0, blocks: calls / 500, calls: 500 }];
  return probe({ entry, first: event, loops, environment });
}
