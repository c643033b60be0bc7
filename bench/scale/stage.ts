import type { APIGatewayProxyResult } from 'aws-lambda';
import { type Place, placeOf } from '../../infra/data/place.ts';
import type { FunctionSpec } from '../../infra/local/function-runner.ts';
import { functionRunners } from '../../infra/local/functions.ts';
import { deliverMessages } from '../../infra/local/queues.ts';
import { startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { ungated } from '../compare/functions.ts';
import { type Ask, eventOf } from './event.ts';

/** Services on this machine, and the functions before them. */
export interface Stage {
  place: Place;
  tokenFor(sub: string): Promise<string>;
  ask: Ask;
  /** By their routes, and with no gate between them and the services. */
  functions: ReadonlyMap<string, FunctionSpec>;
  /** Ends all that runs beside the services, so that nothing disturbs what is measured: `ask` is over, too. */
  rest(): Promise<void>;
  stop(): Promise<void>;
}

/** Longer than any measurement takes, in seconds. */
const ttl = 86_400;

/** Services on an empty data folder. Documents are read when they arrive, until `rest`. */
export async function openStage(dir: string): Promise<Stage> {
  const services = await startServices(dir, await synthesize());
  const runners = functionRunners(services, () => {});
  deliverMessages(services, runners, () => {});
  const place = placeOf(services);
  const rest = async () => {
    await Promise.all([...services.queues.values()].map((queue) => queue.stop()));
    await Promise.all([...runners.values()].map((runner) => runner.stop()));
  };
  return {
    place,
    tokenFor: (sub) => services.issuer.token({ sub, ttl }),
    async ask(route, ...asked) {
      const runner = [...runners.values()].find(({ spec }) => spec.description === route);
      const answer = (await runner?.invoke(eventOf(route, ...asked))) as APIGatewayProxyResult | undefined;
      if (answer?.statusCode !== 200) throw new Error(`${route} answers ${answer?.statusCode} ${answer?.body}`);
      return answer.body;
    },
    functions: new Map(ungated(services).map((spec) => [spec.description, spec])),
    rest,
    async stop() {
      await rest();
      await place.close();
    },
  };
}
