import { FunctionRunner } from '../../infra/local/function-runner.ts';
import { faultyProxy } from './faulty-proxy.ts';

/** What breaks a function off: its next request does not happen, or happens and its answer is lost. */
export type Break = 'reset' | 'lose';

/**
 * Puts a function that can be broken off in the place of one among runners: `after` so many more of its requests to DynamoDB and
 * S3 nothing comes through. `stop` ends what stands between.
 */
export async function breakable(runners: Map<string, FunctionRunner>, id: string) {
  const runner = [...runners.values()].find(({ spec }) => spec.description === id);
  if (!runner) throw new Error(`The template has no function ${id}`);
  const { spec } = runner;
  const services = ['AWS_ENDPOINT_URL_DYNAMODB', 'AWS_ENDPOINT_URL_S3'];
  const proxies = await Promise.all(services.map((name) => faultyProxy(spec.environment[name] ?? '')));
  const endpoints = Object.fromEntries(services.map((name, i) => [name, proxies[i]?.url ?? '']));
  runners.set(spec.name, new FunctionRunner({ ...spec, environment: { ...spec.environment, ...endpoints } }, () => {}));
  let left = Number.POSITIVE_INFINITY;
  let how: Break = 'reset';
  for (const proxy of proxies) {
    proxy.decide = () => {
      left -= 1;
      if (left >= 0) return 'pass';
      return left === -1 ? how : 'reset';
    };
  }
  return {
    after(requests: number, way: Break): void {
      left = requests;
      how = way;
    },
    stop: () => {
      for (const proxy of proxies) proxy.stop();
    },
  };
}
