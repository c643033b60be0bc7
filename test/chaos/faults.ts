import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../support/faulty-proxy.ts';
import type { ProxiedRunner } from '../support/proxied.ts';

/** What can happen to a request of a function to a service of AWS. */
export const faultNames = ['throttle', 'fail', 'reset', 'lose', 'hang', 'slow', 'conflict', 'die'] as const;
export type FaultName = (typeof faultNames)[number];

/** One disturbance of a request: which of its calls, by its number from 0, meets what, alone or with all that follow. */
export interface Disturbance {
  call: number;
  fault: FaultName;
  forEver: boolean;
}

/** What a slow service takes, in milliseconds: less than the SDK's patience (shared/store/attempt.ts). */
const slowMs = 500;

const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'];

/** Everything that can happen to these calls. A function dies but once. */
export function disturbancesOf(calls: string[]): Disturbance[] {
  return calls.flatMap((operation, call) =>
    faultNames
      .filter((fault) => fault !== 'conflict' || writes.includes(operation))
      .flatMap((fault) => (fault === 'die' ? [false] : [false, true]).map((forEver) => ({ call, fault, forEver }))),
  );
}

/** Lets the next request of a function meet a disturbance. `met` says how many of its calls did. */
export function disturb(runner: ProxiedRunner, { call, fault, forEver }: Disturbance): { met: number } {
  const told = { met: 0 };
  let next = 0;
  runner.proxy.decide = (operation): Fault => {
    const number = next++;
    if (forEver ? number < call : number !== call) return 'pass';
    if (fault === 'conflict' && !writes.includes(operation)) return 'pass';
    told.met += 1;
    if (fault === 'slow') return { answerAfter: () => sleep(slowMs) };
    // It is carried out, and the function never hears of it.
    if (fault === 'die') return { answerAfter: () => runner.kill() };
    return fault;
  };
  return told;
}

export function calm(runner: ProxiedRunner): void {
  runner.proxy.decide = () => 'pass';
}
