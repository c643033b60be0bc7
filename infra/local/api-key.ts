import { readFileSync } from 'node:fs';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { Problem } from '../problem.ts';
import { functionRunners } from './functions.ts';
import { chooseHost } from './running.ts';
import { runningServices, type Services, startServices } from './services.ts';
import { synthesize } from './synth.ts';

/** What is asked of a new key: the user as whom it acts, and what it may. */
export interface KeyRequest {
  sub: string;
  scopes: string[];
  name?: string;
}

/** Returns the services of the chosen host: its own while it runs, else new ones on its folder, which `stop` stops. Throws Problem. */
export async function localServices(): Promise<Services> {
  const { dir } = await chooseHost();
  const assemblyDir = await synthesize();
  return (await runningServices(dir, assemblyDir)) ?? (await startServices(dir, assemblyDir));
}

/** Has the service make an API key, and gives its secret. Throws Problem, in the service's own words. */
export async function makeApiKey(services: Services, { sub, scopes, name = 'Local' }: KeyRequest): Promise<string> {
  const runners = functionRunners(services, (chunk) => process.stderr.write(chunk));
  const runner = [...runners.values()].find(({ spec }) => spec.description === 'api-keys/create');
  if (!runner) throw new Error('The template has no function api-keys/create');
  try {
    const token = await services.issuer.token({ sub, ttl: 60 });
    const event = JSON.parse(readFileSync('events/api-keys/create.json', 'utf8').replaceAll('<token>', token));
    const { body } = (await runner.invoke({
      ...event,
      body: JSON.stringify({ name, scopes }),
    })) as APIGatewayProxyResult;
    const { data, detail } = JSON.parse(body);
    if (!data)
      throw new Problem(
        detail.map(({ loc, msg }: { loc: string[]; msg: string }) => `${loc.at(-1)}: ${msg}`).join('\n'),
      );
    return data.secret;
  } finally {
    await runner.stop();
  }
}
