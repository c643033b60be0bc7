import { defaultMemoryMb, fullCoreMb } from '../../shared/route.ts';
import type { ColdStarts, WarmCalls } from './measure.ts';
import type { ProbeResult } from './probe.ts';
import { type Spread, toRatio } from './spread.ts';
import type { Build, Endpoint, Stack } from './stacks.ts';
import { type Case, caseNames } from './world.ts';

/** Returns one value per measured start of a bundle. Throws if it was not measured. */
export function getColdValues(
  series: ColdStarts[],
  which: { stack: Stack; build: Build; endpoint: Endpoint },
  of: (probed: ProbeResult) => number,
) {
  const found = series.find(
    ({ bundle: { stack, build, endpoint } }) =>
      stack === which.stack && build === which.build && endpoint === which.endpoint,
  );
  if (!found) throw new Error(`${which.stack}, ${which.build}, is not measured`);
  return found.probes.map(of);
}

/** Returns the CPU microseconds of a call, one value per block. */
export const getWarmTimes = (series: WarmCalls[], stack: Stack, name: Case): number[] =>
  series.find((one) => one.stack === stack && one.case === name)?.microseconds ?? [];

export const getProcessorTime = ({ cold }: ProbeResult): number => cold.processor;

/** CPU share of a function with 512 MB on Lambda after its start. 1,769 MB get a whole core; during the start, so do all functions. */
const cpuShare = defaultMemoryMb / fullCoreMb;

/** Estimates the milliseconds until the first response with the CPU shares of Lambda. */
export const estimateLambdaTime = ({ load, answer }: ProbeResult): number =>
  load.processor + answer.processor / cpuShare;
export const getLoadedMb = (probed: ProbeResult): number => probed.loadedMb;

/** Computes the ratios between this service and the hand-written handler, in the tuned build. */
export function computeRatios(cold: ColdStarts[], warm: WarmCalls[]): Record<string, Spread> {
  const starts = (['read', 'write'] as const).flatMap((endpoint) => {
    const ratio = (of: (probed: ProbeResult) => number) =>
      toRatio(
        getColdValues(cold, { stack: 'ours', build: 'tuned', endpoint }, of),
        getColdValues(cold, { stack: 'hand-written', build: 'tuned', endpoint }, of),
      );
    return [
      [`start, ${endpoint}`, ratio(getProcessorTime)],
      [`memory after the load, ${endpoint}`, ratio(getLoadedMb)],
    ] as const;
  });
  const calls = caseNames.map(
    (name) =>
      [`call, ${name}`, toRatio(getWarmTimes(warm, 'ours', name), getWarmTimes(warm, 'hand-written', name))] as const,
  );
  return Object.fromEntries([...starts, ...calls]);
}
