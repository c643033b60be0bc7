import { afterAll, beforeAll, inject } from 'vitest';
import { findRunningServices, type Services } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import type { Subject } from './fuzz.ts';
import { createHostSubject, createLocalSubject } from './subjects.ts';

/** Sets up the shared host as a subject: its functions in this process, and the host over HTTP. */
export function useSubjects(): Record<'local' | 'host', () => Subject> {
  let services: Services | undefined;
  let local: (Subject & { stop(): void }) | undefined;
  beforeAll(async () => {
    services = await findRunningServices(inject('dataDir'), await synthesize());
    if (services) local = await createLocalSubject(services);
  });
  afterAll(async () => {
    local?.stop();
    await services?.stop();
  });
  const expectRunning = <T>(subject: T | undefined): T => {
    if (!subject) throw new Error('No host is running: start the tests with npm test');
    return subject;
  };
  return {
    local: () => expectRunning(local),
    host: () => createHostSubject(inject('baseUrl'), expectRunning(local)),
  };
}
