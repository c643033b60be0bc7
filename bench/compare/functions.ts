import { readFileSync } from 'node:fs';
import { fixture } from '../../infra/local/fixture.ts';
import type { FunctionSpec } from '../../infra/local/function-runner.ts';
import { functionRunners } from '../../infra/local/functions.ts';
import { type Services, startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { type Probed, probe } from './probe.ts';

export interface FunctionCold {
  name: string;
  bytes: number;
  probes: Probed[];
}

/** What answers where there is no route, is asked for one that there is not. */
const eventOf: Record<string, string> = { fallback: 'assistants/get' };

/** Every function of the templates, which reaches the services without the gate that holds it to its rights. */
export function ungated({ assembly, endpoints }: Services): FunctionSpec[] {
  const runners = functionRunners({ assembly, gates: { endpointsOf: () => endpoints } }, () => {});
  return [...runners.values()].map(({ spec }) => spec);
}

/**
 * Starts every function of the templates once a round, in the folder `dir`, and has it answer its event of `events/`, with the
 * embedded services behind it. The ids in the events are made up: who reads what they name looks for it, and answers 404.
 */
export async function measureFunctions(dir: string, rounds: number): Promise<FunctionCold[]> {
  const services = await startServices(dir, await synthesize());
  try {
    const all = [];
    for (const { description: name, entry, environment, memoryMb } of ungated(services)) {
      const first = await fixture(services, eventOf[name] ?? name);
      all.push({
        entry,
        first,
        environment,
        memoryMb,
        series: { name, bytes: readFileSync(entry).length, probes: [] as Probed[] },
      });
    }
    for (let round = 0; round < rounds; round++)
      for (const { series, ...asked } of all) series.probes.push(await probe(asked));
    return all.map(({ series }) => series).sort((one, other) => one.name.localeCompare(other.name));
  } finally {
    await services.stop();
  }
}
