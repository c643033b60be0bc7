import { readFileSync } from 'node:fs';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { JWTPayload } from 'jose';
import { UserError } from '../terminal/user-error.ts';
import { createFunctionRunners } from './lambda/functions.ts';
import { chooseHost } from './running-hosts.ts';
import { findRunningServices, type Services, startServices } from './services.ts';
import { synthesize } from './synth.ts';

/** Owner, scopes and name of a new API key. */
export interface KeyRequest {
  sub: string;
  scopes: string[];
  name?: string;
  /** Other claims of the owner's token, for example of a workspace. */
  claims?: JWTPayload;
}

/** Returns the services of the chosen host if it runs. Otherwise starts them on its data folder. Throws UserError. */
export async function openLocalServices(): Promise<Services> {
  const { dir } = await chooseHost();
  const assemblyDir = await synthesize();
  return (await findRunningServices(dir, assemblyDir)) ?? (await startServices(dir, assemblyDir));
}

/** Creates an API key through `api-keys/create` and returns its secret. Throws UserError with the service's message. */
export async function createApiKey(
  services: Services,
  { sub, scopes, name = 'Local', claims = {} }: KeyRequest,
): Promise<string> {
  const log: Buffer[] = [];
  const runners = createFunctionRunners(services, (chunk) => log.push(chunk));
  const runner = [...runners.values()].find(({ spec }) => spec.description === 'api-keys/create');
  if (!runner) throw new Error('The template has no function api-keys/create');
  try {
    const token = await services.issuer.token({ sub, ttl: 60, claims });
    const event = JSON.parse(readFileSync('events/api-keys/create.json', 'utf8').replaceAll('<token>', token));
    const { body } = (await runner.invoke({
      ...event,
      body: JSON.stringify({ name, scopes }),
    })) as APIGatewayProxyResult;
    const { data, detail } = JSON.parse(body);
    if (!data) {
      process.stderr.write(Buffer.concat(log));
      throw new UserError(
        detail.map(({ loc, msg }: { loc: string[]; msg: string }) => `${loc.at(-1)}: ${msg}`).join('\n'),
      );
    }
    return data.secret;
  } finally {
    await runner.stop();
  }
}
