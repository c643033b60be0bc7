import type { Cold, Warm } from './measure.ts';
import type { Probed } from './probe.ts';
import { ratioOf, type Spread } from './spread.ts';
import type { Build, Endpoint, Stack } from './stacks.ts';
import { type Case, caseNames } from './world.ts';

/** A number of each round's start of a bundle. Throws where it was not measured. */
export function coldOf(
  series: Cold[],
  which: { stack: Stack; build: Build; endpoint: Endpoint },
  of: (probed: Probed) => number,
) {
  const found = series.find(
    ({ bundle: { stack, build, endpoint } }) =>
      stack === which.stack && build === which.build && endpoint === which.endpoint,
  );
  if (!found) throw new Error(`${which.stack}, ${which.build}, is not measured`);
  return found.probes.map(of);
}

/** Each round's microseconds of a call. */
export const warmOf = (series: Warm[], stack: Stack, name: Case): number[] =>
  series.find((one) => one.stack === stack && one.case === name)?.microseconds ?? [];

export const processor = ({ cold }: Probed): number => cold.processor;

/** Of a core, what Lambda gives a function of 512 MB once it has started: a whole one is 1,769 MB. While it starts it has one. */
const share = 512 / 1_769;

/** Milliseconds until the first answer where the processor is shared out as on Lambda. */
export const onLambda = ({ load, answer }: Probed): number => load.processor + answer.processor / share;
export const loadedMb = (probed: Probed): number => probed.loadedMb;

/** How many times the hand-written handler we are, each in the tuned build: what `npm run bench:check` holds. */
export function ratiosOf(cold: Cold[], warm: Warm[]): Record<string, Spread> {
  const starts = (['read', 'write'] as const).flatMap((endpoint) => {
    const ratio = (of: (probed: Probed) => number) =>
      ratioOf(
        coldOf(cold, { stack: 'ours', build: 'tuned', endpoint }, of),
        coldOf(cold, { stack: 'hand-written', build: 'tuned', endpoint }, of),
      );
    return [
      [`start, ${endpoint}`, ratio(processor)],
      [`memory after the load, ${endpoint}`, ratio(loadedMb)],
    ] as const;
  });
  const calls = caseNames.map(
    (name) => [`call, ${name}`, ratioOf(warmOf(warm, 'ours', name), warmOf(warm, 'hand-written', name))] as const,
  );
  return Object.fromEntries([...starts, ...calls]);
}
