import fc from 'fast-check';
import { Client } from '../client.ts';
import type { Plan, Subject } from '../fuzz.ts';
import { assistantCommands } from './assistants.ts';
import { credentialCommands } from './credentials.ts';
import { documentCommands } from './documents.ts';
import { listingCommands } from './listings.ts';
import { Model } from './model.ts';
import { sessionCommands } from './sessions.ts';
import { versionCommands } from './versions.ts';

const commands = [
  ...assistantCommands,
  ...listingCommands,
  ...credentialCommands,
  ...sessionCommands,
  ...documentCommands,
  ...versionCommands,
];

export interface SequenceResult {
  /** Number of sequences that ran. */
  cases: number;
  requests: number;
  failure?: string;
}

/** Runs sequences of up to `length` commands, each as a new user, and compares every response with a model. */
export async function runSequences(
  { createUser, send }: Subject,
  { runs, seed, onProgress }: Plan,
  length: number,
): Promise<SequenceResult> {
  const result: SequenceResult = { cases: 0, requests: 0 };
  const property = fc.asyncProperty(fc.commands(commands, { maxCommands: length, size: 'max' }), async (sequence) => {
    const { person } = await createUser();
    const client = new Client((wire) => {
      result.requests += 1;
      return send(wire);
    }, person);
    await fc.asyncModelRun(() => ({ model: new Model(), real: client }), sequence);
    result.cases += 1;
    onProgress?.(result.cases);
  });
  const details = await fc.check(property, { numRuns: runs, seed });
  if (!details.failed) return result;
  const { message } = details.errorInstance as Error;
  const command = `npm run fuzz -- --model --seed ${seed} --runs ${runs}`;
  return { ...result, failure: `${details.counterexample?.[0]}\n✗ ${message}\nReproduce: ${command}` };
}
