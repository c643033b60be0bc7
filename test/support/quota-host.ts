import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWTPayload } from 'jose';
import { inject } from 'vitest';
import { createGateway } from '../../infra/local/gateway/gateway.ts';
import { FunctionRunner } from '../../infra/local/lambda/function-runner.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { findRunningServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import type { QuotaRules } from '../../shared/domain/quota.ts';
import { type Client, createClient } from './api.ts';
import { reportPermissions } from './permissions-report.ts';

/** Starts a second API with the setting `quotas`, on the data, issuer and events of the shared test host. */
export async function startQuotaHost(rules: QuotaRules) {
  const services = await findRunningServices(inject('dataDir'), await synthesize());
  if (!services) throw new Error('The host of the tests is not running');
  const discard = () => {};
  const runners = createFunctionRunners(services, discard);
  for (const [name, { spec }] of runners) {
    const environment = { ...spec.environment, QUOTAS: JSON.stringify(rules) };
    runners.set(name, new FunctionRunner({ ...spec, environment }, discard));
  }
  const server = createServer(createGateway(services.assembly, runners, discard));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** Creates a client of a new person, or of `sub`, with these claims in the token. */
    async createPerson(claims: JWTPayload = {}, sub = `user-${randomUUID()}`): Promise<Client> {
      return createClient(sub, await services.issuer.token({ sub, ttl: 3600, claims }), url);
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await Promise.all([...runners.values()].map((runner) => runner.stop()));
      reportPermissions(services.proxies);
      await services.stop();
    },
  };
}
