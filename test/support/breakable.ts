import type { FunctionRunner } from '../../infra/local/function-runner.ts';
import { ProxiedRunner } from './proxied.ts';

/** What breaks a function off: its next request does not happen, or happens and its answer is lost. */
export type Break = 'reset' | 'lose';

/**
 * Puts a function that can be broken off in the place of one among runners: `after` so many more of its requests to AWS nothing
 * comes through.
 */
export async function breakable(runners: Map<string, FunctionRunner>, id: string) {
  const runner = [...runners.values()].find(({ spec }) => spec.description === id);
  if (!runner) throw new Error(`The template has no function ${id}`);
  const proxied = await ProxiedRunner.of(runner.spec, () => {});
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
