import { type Probed, probe } from './probe.ts';
import type { Bundle, Stack } from './stacks.ts';
import { type Case, caseNames, type World } from './world.ts';

/** How much is measured of warm calls: blocks of calls in each of some fresh processes. */
export interface Effort {
  rounds: number;
  warmUp: number;
  blocks: number;
  calls: number;
}

/** What a bundle's starts took, one a round. */
export interface Cold {
  bundle: Bundle;
  probes: Probed[];
}

/** Starts each bundle once a round, and has it answer its endpoint's request. */
export async function measureCold({ environment, requests }: World, bundles: Bundle[], rounds: number) {
  const series: Cold[] = bundles.map((bundle) => ({ bundle, probes: [] }));
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

/** Microseconds of the processor that calls took once a process was warm: of each block, in which all stacks had their turn. */
export interface Warm {
  stack: Stack;
  case: Case;
  microseconds: number[];
}

/** Has bundles answer their requests again and again, those of an endpoint by turns in one process a round. */
export async function measureWarm(
  { environment, requests }: World,
  bundles: Bundle[],
  effort: Effort,
): Promise<Warm[]> {
  const { rounds, ...loop } = effort;
  const series = caseNames.flatMap((name) =>
    bundles
      .filter(({ endpoint }) => endpoint === requests[name].endpoint)
      .map(({ stack }): Warm => ({ stack, case: name, microseconds: [] })),
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

/** A process that has answered very many calls. */
export async function soak({ environment, requests }: World, { endpoint, entry }: Bundle, calls: number) {
  const { event, status } = requests[endpoint];
  const loops = [{ events: [event], status, warmUp: 0, blocks: calls / 500, calls: 500 }];
  return probe({ entry, first: event, loops, environment });
}
