import { readFileSync } from 'node:fs';
import { loadFixture } from '../../infra/local/fixture.ts';
import type { FunctionSpec } from '../../infra/local/lambda/function-runner.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { type Services, startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { type ProbeResult, probe } from './probe.ts';

export interface FunctionStarts {
  name: string;
  bytes: number;
  probes: ProbeResult[];
}

/** Events of functions that are not named after a route. The fallback gets the event of any route. */
const eventNames: Record<string, string> = { fallback: 'assistants/get' };

/** Returns every function of the templates, connected to the services directly instead of through the IAM proxy. */
export function listUnproxiedFunctions({ assembly, endpoints }: Services): FunctionSpec[] {
  const runners = createFunctionRunners({ assembly, proxies: { getEndpoints: () => endpoints } }, () => {});
  return [...runners.values()].map(({ spec }) => spec);
}

/**
 * Starts every function of the templates once per round and sends it its event from `events/`. The embedded services keep their data in
 * `dir`. The ids in the events do not exist, so functions that look them up return 404.
 */
export async function measureFunctions(dir: string, rounds: number): Promise<FunctionStarts[]> {
  const services = await startServices(dir, await synthesize());
  try {
    const all = [];
    for (const { description: name, entry, environment, memoryMb } of listUnproxiedFunctions(services)) {
      const first = await loadFixture(services, eventNames[name] ?? name);
      all.push({
        entry,
        first,
        environment,
        memoryMb,
        series: { name, bytes: readFileSync(entry).length, probes: [] as ProbeResult[] },
      });
    }
    for (let round = 0; round < rounds; round++)
      for (const { series, ...asked } of all) series.probes.push(await probe(asked));
    return all.map(({ series }) => series).sort((one, other) => one.name.localeCompare(other.name));
  } finally {
    await services.stop();
  }
}
