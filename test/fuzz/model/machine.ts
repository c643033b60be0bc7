import fc from 'fast-check';
import { Client } from '../client.ts';
import type { Plan, Subject } from '../fuzz.ts';
import { assistantCommands } from './assistants.ts';
import { credentialCommands } from './credentials.ts';
import { documentCommands } from './documents.ts';
import { listingCommands } from './listings.ts';
import { Model } from './model.ts';
import { sessionCommands } from './sessions.ts';

const commands = [
  ...assistantCommands,
  ...listingCommands,
  ...credentialCommands,
  ...sessionCommands,
  ...documentCommands,
];

export interface Walks {
  /** how many sequences were walked, by how many requests. */
  cases: number;
  requests: number;
  failure?: string;
}

/** Gives the service sequences of up to `length` commands, each as a new user, and compares all that is read with a model. */
export async function walked({ newUser, send }: Subject, { runs, seed, tell }: Plan, length: number): Promise<Walks> {
  const walks: Walks = { cases: 0, requests: 0 };
  const property = fc.asyncProperty(fc.commands(commands, { maxCommands: length, size: 'max' }), async (sequence) => {
    const { person } = await newUser();
    const client = new Client((wire) => {
      walks.requests += 1;
      return send(wire);
    }, person);
    await fc.asyncModelRun(() => ({ model: new Model(), real: client }), sequence);
    walks.cases += 1;
    tell?.(walks.cases);
  });
  const details = await fc.check(property, { numRuns: runs, seed });
  if (!details.failed) return walks;
  const { message } = details.errorInstance as Error;
  const again = `npm run fuzz -- --model --seed ${seed} --runs ${runs}`;
  return { ...walks, failure: `${details.counterexample?.[0]}\n✗ ${message}\nagain: ${again}` };
}
