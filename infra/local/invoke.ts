import type { APIGatewayProxyResult } from 'aws-lambda';
import { Problem, run } from '../problem.ts';
import { fixture } from './fixture.ts';
import { functionRunners } from './functions.ts';
import { dataDir } from './host.ts';
import { runningServices, startServices } from './services.ts';
import { synthesize } from './synth.ts';

const pretty = (body: string) => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

/** Runs one function on its event, and prints what it logs, its status, its body and how long it took. */
run(async () => {
  const [routeId, file] = process.argv.slice(2);
  const event = await fixture(routeId, file);
  const assemblyDir = await synthesize();
  const services = (await runningServices(dataDir(), assemblyDir)) ?? (await startServices(dataDir(), assemblyDir));
  const runners = functionRunners(services, (chunk) => process.stderr.write(chunk));
  const runner = [...runners.values()].find(({ spec }) => spec.description === routeId);
  try {
    if (!runner) throw new Problem(`No function is called ${routeId}`);
    await runner.warm();
    const startedAt = performance.now();
    const { statusCode, body } = (await runner.invoke(event)) as APIGatewayProxyResult;
    if (statusCode === 404)
      console.error('The id in an event is made up: name a copy with an id of yours as second argument');
    console.log(`${statusCode} in ${(performance.now() - startedAt).toFixed(1)} ms\n${pretty(body)}`);
  } finally {
    await runner?.stop();
    await services.stop();
  }
});
