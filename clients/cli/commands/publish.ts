import { basename, dirname } from 'node:path';
import type { Client } from '../../typescript/src/client.ts';
import { computeDigest } from '../assistants/content.ts';
import { readFile } from '../assistants/folder.ts';
import { readLock } from '../assistants/lock.ts';
import { toEntry } from '../assistants/plan.ts';
import { readAssistants } from '../assistants/remote.ts';
import { command } from '../command.ts';
import { isForbidden, UserError } from '../errors.ts';
import { findAssistant } from '../find-assistant.ts';
import { connect, connectOptions } from '../login/connect.ts';
import { note, print } from '../terminal.ts';

/** Returns the `ETag` of the draft that a file is equal to. Throws UserError if the file and the draft differ. */
async function checkPushed(client: Client, path: string, id: string): Promise<string> {
  const folder = dirname(path);
  const file = await readFile(folder, basename(path));
  if (Array.isArray(file)) throw new UserError(file.join('\n'));
  const remote = (await readAssistants(client, [id])).get(id);
  if (!remote) throw new UserError(`${path}: the server has no assistant with its id`);
  const { digest, etag } = toEntry(remote);
  const local = computeDigest(file.content);
  if (local === digest) return etag;
  const isEdited = readLock(folder)?.assistants[file.name]?.digest !== local;
  const difference = isEdited
    ? 'has changes that are not pushed: run assistants push'
    : 'was changed on the server since it was pulled: run assistants pull';
  throw new UserError(`${path} ${difference} first, or publish the draft as it is by its id, ${id}`);
}

/** Returns the number of the newest version of an assistant. Undefined if it has none, or the key may not read. */
async function findNewest(client: Client, assistant_id: string): Promise<number | undefined> {
  const params = { path: { assistant_id }, query: { limit: 1 } };
  try {
    return (await client.GET('/assistants/{assistant_id}/versions', { params })).data.data.versions[0]?.version;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

export const publish = command({
  summary: 'Make a version of the draft of an assistant, and let calls have it',
  args: 'ASSISTANT',
  count: [1, 1],
  details: [
    'ASSISTANT is an id, a file, or a name. A file is published only if it is equal to the draft: push it first. A draft that is equal to the',
    'newest version makes no new one.',
  ].join('\n'),
  options: {
    note: { type: 'string', value: 'TEXT', help: 'What is new in this version' },
    'not-live': { type: 'boolean', help: 'Only make the version' },
    ...connectOptions,
  },
  async run([assistant = ''], { note: text, 'not-live': notLive, ...values }) {
    const { client } = await connect(values);
    const { id: assistant_id, file } = await findAssistant(client, assistant);
    const etag = file === undefined ? undefined : await checkPushed(client, file, assistant_id);
    const newest = await findNewest(client, assistant_id);
    const { data } = await client.POST('/assistants/{assistant_id}/versions', {
      params: { path: { assistant_id }, header: { ...(etag !== undefined && { 'If-Match': etag }) } },
      body: { ...(text !== undefined && { note: text }), ...(notLive && { live: false }) },
    });
    const { version } = data.data;
    if (version === newest) {
      print(`Nothing is new since version ${version}${notLive ? '' : ', which is live'}`);
      if (text !== undefined) note('The note was not saved: a version keeps the note that it was made with');
    } else print(`Version ${version} ${notLive ? 'is made, and not live' : 'is live'}`);
  },
});
