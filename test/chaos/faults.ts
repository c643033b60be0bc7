import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../support/faulty-proxy.ts';
import type { ProxiedRunner } from '../support/proxied-runner.ts';

/** Faults of a function's request to AWS. */
export const faultNames = ['throttle', 'fail', 'reset', 'lose', 'hang', 'slow', 'conflict', 'die'] as const;
export type FaultName = (typeof faultNames)[number];

/** A disturbance of a request: the number of the AWS call that fails, from 0, its fault, and whether all later calls fail too. */
export interface Disturbance {
  call: number;
  fault: FaultName;
  isPermanent: boolean;
}

/** Delay of a slow service, in milliseconds. It is shorter than the SDK's timeout (shared/store/table/aws-call.ts). */
const slowMs = 500;

const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'];

/** Lists every disturbance of these calls. A function can die only once. */
export function listDisturbances(calls: string[]): Disturbance[] {
  return calls.flatMap((operation, call) =>
    faultNames
      .filter((fault) => fault !== 'conflict' || writes.includes(operation))
      .flatMap((fault) =>
        (fault === 'die' ? [false] : [false, true]).map((isPermanent) => ({ call, fault, isPermanent })),
      ),
  );
}

/** Disturbs the next request of a function. `met` counts the calls that met the fault. */
export function disturb(runner: ProxiedRunner, { call, fault, isPermanent }: Disturbance): { met: number } {
  const result = { met: 0 };
  let next = 0;
  runner.proxy.decide = (operation): Fault => {
    const number = next++;
    if (number < call || (!isPermanent && result.met > 0)) return 'pass';
    if (fault === 'conflict' && !writes.includes(operation)) return 'pass'; // concurrent calls come in any order
    result.met += 1;
    if (fault === 'slow') return { answerAfter: () => sleep(slowMs) };
    // AWS carries the call out, but the function dies before the response.
    if (fault === 'die') return { answerAfter: () => runner.kill() };
    return fault;
  };
  return result;
}

export function stopDisturbing(runner: ProxiedRunner): void {
  runner.proxy.decide = () => 'pass';
}
