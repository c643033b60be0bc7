import type { FunctionRunner } from '../../infra/local/lambda/function-runner.ts';
import { ProxiedRunner } from './proxied-runner.ts';

/** Way to interrupt a function: `reset` drops its next request, `lose` carries the request out and drops the response. */
export type Break = 'reset' | 'lose';

/**
 * Replaces a function's runner by one that tests can interrupt. `after` lets a number of its requests to AWS pass, applies the
 * interruption to the next one and drops all that follow.
 */
export async function makeBreakable(runners: Map<string, FunctionRunner>, id: string) {
  const runner = [...runners.values()].find(({ spec }) => spec.description === id);
  if (!runner) throw new Error(`The template has no function ${id}`);
  const proxied = await ProxiedRunner.create(runner.spec, () => {});
  runners.set(runner.spec.name, proxied);
  let left = Number.POSITIVE_INFINITY;
  let how: Break = 'reset';
  proxied.proxy.decide = () => {
    left -= 1;
    if (left >= 0) return 'pass';
    return left === -1 ? how : 'reset';
  };
  return {
    after(requests: number, way: Break): void {
      left = requests;
      how = way;
    },
  };
}
