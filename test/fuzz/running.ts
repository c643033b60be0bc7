import { afterAll, beforeAll, inject } from 'vitest';
import { runningServices, type Services } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import type { Subject } from './fuzz.ts';
import { hostSubject, localSubject } from './subject.ts';

/** The functions in this process, on the services of the host that all tests share; and that host, over HTTP. */
export function subjects(): Record<'local' | 'host', () => Subject> {
  let services: Services | undefined;
  let local: (Subject & { stop(): void }) | undefined;
  beforeAll(async () => {
    services = await runningServices(inject('dataDir'), await synthesize());
    if (services) local = await localSubject(services);
  });
  afterAll(async () => {
    local?.stop();
    await services?.stop();
  });
  const running = <T>(found: T | undefined): T => {
    if (!found) throw new Error('No host runs');
    return found;
  };
  return {
    local: () => running(local),
    host: () => hostSubject(inject('baseUrl'), running(local)),
  };
}
