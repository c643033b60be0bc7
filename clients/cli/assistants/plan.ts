import { join } from 'node:path';
import type { Client } from '../../typescript/src/client.ts';
import { UserError } from '../errors.ts';
import {
  type AssistantUpdate,
  buildUpdate,
  computeDigest,
  listFieldsUnknownTo,
  listTypos,
  toContent,
} from './content.ts';
import { type AssistantFile, describeWrongId, type Folder } from './folder.ts';
import type { LockEntry } from './lock.ts';
import { type RemoteAssistant, readAssistants } from './remote.ts';

/** One difference between a folder and the server. */
export type Step =
  | { kind: 'create'; name: string; file: AssistantFile }
  | { kind: 'update'; name: string; file: AssistantFile; current: RemoteAssistant; body: AssistantUpdate }
  | { kind: 'delete'; name: string; entry: LockEntry; current: RemoteAssistant };

/** A change on the server since the last pull, with the step that it prevents if both sides can be compared. */
export interface Conflict {
  sentence: string;
  step?: Step;
}

/** Planned effects of a push. */
export interface Plan {
  steps: Step[];
  /** Files that are equal to the server, with their current entry. */
  equal: { name: string; entry: LockEntry }[];
  /** Files that are gone here and on the server. */
  gone: string[];
  conflicts: Conflict[];
}

/** Returns the entry of a file that is equal to an assistant. */
export const toEntry = ({ assistant, etag }: RemoteAssistant): LockEntry => ({
  id: assistant.id,
  etag,
  digest: computeDigest(toContent(assistant)),
});

const pullFirst = 'run assistants pull first';

/** Compares a file that was pulled with the server. */
function compareFile(
  path: string,
  file: AssistantFile,
  entry: LockEntry,
  current: RemoteAssistant | undefined,
  plan: Plan,
) {
  const { name, content } = file;
  if (file.id === undefined) {
    if (current) plan.conflicts.push({ sentence: describeWrongId(path, entry.id, undefined) });
    else plan.steps.push({ kind: 'create', name, file });
    return;
  }
  if (!current) {
    plan.conflicts.push({
      sentence: `${path} was deleted on the server: delete the file, or remove its id to create it again`,
    });
    return;
  }
  const unknown = listFieldsUnknownTo(current.assistant, content);
  if (unknown.length > 0)
    throw new UserError(`The server does not know ${unknown.join(', ')} of ${path}: it is older than this program`);
  const now = toEntry(current);
  const body = buildUpdate(toContent(current.assistant), content);
  if (!body) {
    plan.equal.push({ name, entry: now });
    return;
  }
  const step: Step = { kind: 'update', name, file, current, body };
  if (now.digest === entry.digest) plan.steps.push(step);
  else plan.conflicts.push({ sentence: `${path} was changed on the server since it was pulled: ${pullFirst}`, step });
}

/** Returns a warning for each setting that looks misspelt in the files that a push would send. */
export const listWarnings = (folder: string, steps: Step[]): string[] =>
  steps.flatMap((step) =>
    step.kind === 'delete' ? [] : listTypos(step.file.content).map((typo) => `${join(folder, step.name)}: ${typo}`),
  );

/** Compares a folder with the server. Writes nothing. Throws UserError or ApiError. */
export async function makePlan(client: Client, { path, files, lock }: Folder): Promise<Plan> {
  const entries = lock?.assistants ?? {};
  const remotes = await readAssistants(
    client,
    Object.values(entries).map(({ id }) => id),
  );
  const plan: Plan = { steps: [], equal: [], gone: [], conflicts: [] };
  for (const file of files) {
    const entry = entries[file.name];
    if (!entry) plan.steps.push({ kind: 'create', name: file.name, file });
    else compareFile(join(path, file.name), file, entry, remotes.get(entry.id), plan);
  }
  const names = files.map(({ name }) => name);
  for (const [name, entry] of Object.entries(entries)) {
    if (names.includes(name)) continue;
    const current = remotes.get(entry.id);
    if (!current) plan.gone.push(name);
    else if (toEntry(current).digest !== entry.digest) {
      const sentence = `${join(path, name)} was deleted here but changed on the server: ${pullFirst}`;
      plan.conflicts.push({ sentence, step: { kind: 'delete', name, entry, current } });
    } else plan.steps.push({ kind: 'delete', name, entry, current });
  }
  return plan;
}
