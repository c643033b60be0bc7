import type { APIGatewayProxyResult } from 'aws-lambda';
import { openLocalServices } from '../../local/api-key.ts';
import { loadFixture } from '../../local/fixture.ts';
import { createFunctionRunners } from '../../local/lambda/functions.ts';
import { readArguments } from '../../terminal/arguments.ts';
import { print } from '../../terminal/print.ts';
import { run, UserError } from '../../terminal/user-error.ts';

const formatBody = (body: string) => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

const isHttpResult = (answer: unknown): answer is APIGatewayProxyResult =>
  typeof answer === 'object' && answer !== null && 'statusCode' in answer;

const usage = `Usage: npm run invoke -- assistants/create [event.json]
Runs one function on an event, by default its sample event in events/.`;

/**
 * Runs one function on its sample event. Prints its logs and then the status, duration and body, or the plain result of a function
 * that does not answer HTTP.
 */
run(async () => {
  const [routeId, file] = readArguments(usage, { allowPositionals: true }).positionals;
  const services = await openLocalServices();
  const runners = createFunctionRunners(services, (chunk) => process.stderr.write(chunk));
  const runner = [...runners.values()].find(({ spec }) => spec.description === routeId);
  try {
    if (!runner)
      throw new UserError(`There is no function ${routeId}: use a route's id, for example assistants/create`);
    const event = await loadFixture(services, routeId, file);
    await runner.warm();
    const startedAt = performance.now();
    const answer = await runner.invoke(event);
    if (!isHttpResult(answer)) {
      if (answer !== undefined) print(JSON.stringify(answer, null, 2));
      return;
    }
    const { statusCode, body } = answer;
    if (statusCode === 404)
      console.error('Sample events use made-up ids: pass a copy with an id of yours as the second argument');
    print(`${statusCode} in ${(performance.now() - startedAt).toFixed(1)} ms\n${formatBody(body)}`);
  } finally {
    await runner?.stop();
    await services.stop();
  }
});
