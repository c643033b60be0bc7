import type { APIGatewayProxyResult } from 'aws-lambda';
import { type Deployment, toLocalDeployment } from '../../infra/commands/data/deployment/deployment.ts';
import { startEventSources } from '../../infra/local/lambda/event-sources.ts';
import type { FunctionSpec } from '../../infra/local/lambda/function-runner.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { listUnproxiedFunctions } from '../compare/functions.ts';
import { buildEvent, type SendRequest } from './event.ts';

/** Embedded services and the functions that use them. */
export interface Stage {
  place: Deployment;
  tokenFor(sub: string): Promise<string>;
  ask: SendRequest;
  /** Functions by route, connected to the services directly instead of through the IAM proxy. */
  functions: ReadonlyMap<string, FunctionSpec>;
  /** Stops the queues and functions, so that nothing disturbs a measurement. `ask` stops working too. */
  stopBackgroundWork(): Promise<void>;
  stop(): Promise<void>;
}

/** Lifetime of tokens. Longer than any measurement. */
const tokenTtlSeconds = 86_400;

/** Starts services with an empty data folder. Uploaded documents are ingested until `stopBackgroundWork`. */
export async function openStage(dir: string): Promise<Stage> {
  const services = await startServices(dir, await synthesize());
  const runners = createFunctionRunners(services, () => {});
  const stopSources = startEventSources(services, runners, () => {});
  const place = toLocalDeployment(services);
  const stopBackgroundWork = async () => {
    await stopSources();
    await Promise.all([...runners.values()].map((runner) => runner.stop()));
  };
  return {
    place,
    tokenFor: (sub) => services.issuer.token({ sub, ttl: tokenTtlSeconds }),
    async ask(route, ...asked) {
      const runner = [...runners.values()].find(({ spec }) => spec.description === route);
      const answer = (await runner?.invoke(buildEvent(route, ...asked))) as APIGatewayProxyResult | undefined;
      if (answer?.statusCode !== 200) throw new Error(`${route} answers ${answer?.statusCode} ${answer?.body}`);
      return answer.body;
    },
    functions: new Map(listUnproxiedFunctions(services).map((spec) => [spec.description, spec])),
    stopBackgroundWork,
    async stop() {
      await stopBackgroundWork();
      await place.close();
    },
  };
}
