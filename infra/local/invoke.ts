import type { APIGatewayProxyResult } from 'aws-lambda';
import { Problem, run } from '../problem.ts';
import { localServices } from './api-key.ts';
import { fixture } from './fixture.ts';
import { functionRunners } from './functions.ts';

const pretty = (body: string) => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

const isHttp = (answer: unknown): answer is APIGatewayProxyResult =>
  typeof answer === 'object' && answer !== null && 'statusCode' in answer;

/**
 * Runs one function on its event, and prints what it logs, its status, its body and how long it took; or just its answer
 * where that is none to HTTP.
 */
run(async () => {
  const [routeId, file] = process.argv.slice(2);
  const services = await localServices();
  const runners = functionRunners(services, (chunk) => process.stderr.write(chunk));
  const runner = [...runners.values()].find(({ spec }) => spec.description === routeId);
  try {
    if (!runner) throw new Problem(`No function is called ${routeId}: routes are named like assistants/create`);
    const event = await fixture(services, routeId, file);
    await runner.warm();
    const startedAt = performance.now();
    const answer = await runner.invoke(event);
    if (!isHttp(answer)) {
      console.log(JSON.stringify(answer, null, 2));
      return;
    }
    const { statusCode, body } = answer;
    if (statusCode === 404)
      console.error('The id in an event is made up: name a copy with an id of yours as second argument');
    console.log(`${statusCode} in ${(performance.now() - startedAt).toFixed(1)} ms\n${pretty(body)}`);
  } finally {
    await runner?.stop();
    await services.stop();
  }
});
