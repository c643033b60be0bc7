import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from '../../typescript/src/api-error.ts';
import type { Client } from '../../typescript/src/client.ts';
import type { components } from '../../typescript/src/schema.d.ts';
import { computeDigest, toFileFields } from '../assistants/content.ts';
import { type AssistantFile, checkFolder, defaultFolder, readAssistantText, readFolder } from '../assistants/folder.ts';
import { addId, type Format } from '../assistants/format.ts';
import { type Lock, writeLock, writeWhole } from '../assistants/lock.ts';
import { listWarnings, makePlan, type Step, toEntry } from '../assistants/plan.ts';
import { toRemote } from '../assistants/remote.ts';
import { command } from '../command.ts';
import { describeError, UserError } from '../errors.ts';
import { connect, connectOptions } from '../login/connect.ts';
import { count, note, print } from '../terminal.ts';

/** Prints the warnings in the headers of a response. */
function noteHeaders(path: string, headers: Headers): void {
  const ignored = headers.get('x-ignored-fields');
  const unknown = headers.get('x-template-unknown');
  if (ignored) note(`${path}: the server ignored ${ignored}, because it does not know it`);
  if (unknown) note(`${path}: nothing declares ${unknown}, which its templates read`);
}

/** A push in progress. The lock file follows each change, so that it is true whenever the push ends. */
interface Push {
  client: Client;
  path: string;
  lock: Lock;
}

/** Writes the id of a new assistant into its file, which may have been saved meanwhile. Throws UserError if it cannot be read now. */
function writeId(path: string, format: Format, id: string): void {
  let text: string;
  try {
    text = addId(format, readAssistantText(path), id);
  } catch (error) {
    throw new UserError(
      `created, but the file has changed meanwhile: add the id ${id} to it (${(error as Error).message})`,
    );
  }
  writeWhole(path, text);
}

/**
 * Creates the assistant of a file, and writes its id into the file. The key of the request is saved before, so that a push after a crash
 * creates no second one.
 */
async function createAssistant({ client, path, lock }: Push, name: string, file: AssistantFile): Promise<void> {
  const digest = computeDigest(file.content);
  const known = lock.creating[name];
  const creation = known?.digest === digest ? known : { key: randomUUID(), digest };
  lock.creating[name] = creation;
  writeLock(path, lock);
  const response = await client.POST('/assistants', {
    params: { header: { 'Idempotency-Key': creation.key } },
    body: toFileFields(file.content) as components['schemas']['NewAssistant'],
  });
  const remote = toRemote(response);
  noteHeaders(join(path, name), response.headers);
  lock.assistants[name] = toEntry(remote);
  delete lock.creating[name];
  writeId(join(path, name), file.format, remote.assistant.id);
}

/** Takes one step. Throws ApiError, with status 412 if somebody has just changed the assistant. */
async function takeStep(push: Push, step: Step): Promise<string> {
  const { client, path, lock } = push;
  if (step.kind === 'create') {
    await createAssistant(push, step.name, step.file);
    return 'created';
  }
  const { assistant, etag } = step.current;
  const params = { path: { assistant_id: assistant.id }, header: { 'If-Match': etag } };
  if (step.kind === 'delete') {
    await client.DELETE('/assistants/{assistant_id}', { params });
    delete lock.assistants[step.name];
    return 'deleted';
  }
  const response = await client.PUT('/assistants/{assistant_id}', { params, body: step.body });
  noteHeaders(join(path, step.name), response.headers);
  lock.assistants[step.name] = toEntry(toRemote(response));
  return 'updated';
}

/** Returns a sentence for the step that failed. */
function describeFailure(path: string, error: unknown): string {
  if (error instanceof ApiError && error.status === 412)
    return `${path} was changed on the server meanwhile: run assistants pull first`;
  return `${path}: ${describeError(error)}`;
}

export const push = command({
  summary: 'Change your assistants into what a folder says',
  args: '[FOLDER]',
  count: [0, 1],
  details: [
    `FOLDER is "${defaultFolder}" unless you name another. All files are checked before the first is sent. What somebody else has changed`,
    'since you pulled is never overwritten. A push changes drafts: run publish to let calls have them.',
  ].join('\n'),
  options: {
    delete: { type: 'boolean', help: 'Delete the assistants whose files you have deleted' },
    ...connectOptions,
  },
  async run([path = defaultFolder], { delete: deletes = false, ...values }) {
    const { client, url } = await connect(values);
    const folder = await readFolder(path, url);
    checkFolder(folder);
    const plan = await makePlan(client, folder);
    if (plan.conflicts.length > 0)
      throw new UserError([...plan.conflicts.map(({ sentence }) => sentence), 'Nothing was pushed'].join('\n'));

    const lock = folder.lock ?? { api: url, assistants: {}, creating: {} };
    for (const { name, entry } of plan.equal) lock.assistants[name] = entry;
    for (const name of plan.gone) delete lock.assistants[name];
    mkdirSync(path, { recursive: true });
    writeLock(path, lock);
    const left = plan.steps.filter(({ kind }) => kind === 'delete' && !deletes);
    const steps = plan.steps.filter((step) => !left.includes(step));
    for (const warning of listWarnings(path, steps)) note(warning);
    process.once('SIGINT', () => {
      note('Stopped: push again to go on');
      process.exit(130);
    });
    for (const [index, step] of steps.entries()) {
      const file = join(path, step.name);
      try {
        print(`${file}: ${await takeStep({ client, path, lock }, step)}`);
      } catch (error) {
        const rest = `${index} of ${count(steps.length, 'change')} pushed: push again to go on`;
        throw new UserError(`${describeFailure(file, error)}\n${rest}`);
      } finally {
        writeLock(path, lock);
      }
    }
    if (left.length > 0)
      note(`${count(left.length, 'assistant')} not deleted, though the file is gone: push --delete deletes`);
    const countOf = (kind: Step['kind']) => steps.filter((step) => step.kind === kind).length;
    const parts = [`${countOf('create')} created`, `${countOf('update')} updated`];
    if (deletes) parts.push(`${countOf('delete')} deleted`);
    print(`${count(folder.files.length, 'assistant')}: ${parts.join(', ')}, ${plan.equal.length} unchanged`);
  },
});
