import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { computeDigest, listNewFields, toContent, toFileFields } from '../assistants/content.ts';
import { chooseFileName } from '../assistants/file-names.ts';
import {
  type AssistantFile,
  defaultFolder,
  describeWrongId,
  type Folder,
  isUnchanged,
  readFolder,
} from '../assistants/folder.ts';
import { addId, type Format, formatFile, updateFile } from '../assistants/format.ts';
import { type Lock, lockName, writeLock, writeWhole } from '../assistants/lock.ts';
import { toEntry } from '../assistants/plan.ts';
import { type RemoteAssistant, readAllAssistants } from '../assistants/remote.ts';
import { command } from '../command.ts';
import { UsageError, UserError } from '../errors.ts';
import { connect, connectOptions } from '../login/connect.ts';
import { count, formatConflicts, note, print } from '../terminal.ts';

/** Effect of a pull on one file. */
type Outcome = 'written' | 'equal' | 'kept' | 'conflict';

/** Decides the outcome for an assistant of the server and its file. */
function decide(
  remote: RemoteAssistant,
  file: AssistantFile | undefined,
  known: string | undefined,
  force: boolean,
): Outcome {
  if (!file || (force && file.id === undefined)) return 'written';
  if (file.id === undefined) return 'conflict';
  const [local, now] = [computeDigest(file.content), computeDigest(toContent(remote.assistant))];
  if (local === now) return 'equal';
  if (force || local === known) return 'written';
  return now === known ? 'kept' : 'conflict';
}

/** True if a file is not as it was read, so that somebody has just saved it. */
const isSaved = (folder: string, name: string, file: AssistantFile | undefined): boolean =>
  file ? !isUnchanged(folder, file) : existsSync(join(folder, name));

/** Returns a sentence for a file that is not overwritten. */
const describeConflict = (path: string, { assistant }: RemoteAssistant, file: AssistantFile | undefined): string =>
  file && file.id === undefined
    ? describeWrongId(path, assistant.id, undefined)
    : `${path} was changed here and on the server`;

/** Finds the file that an assistant was created from, if the answer to its creation was lost. */
const findCreated = ({ path, files }: Folder, { creating }: Lock, remote: RemoteAssistant): AssistantFile | undefined =>
  files.find((file) => creating[file.name]?.digest === toEntry(remote).digest && isUnchanged(path, file));

/** Writes an assistant into a file. Comments of a file that is there stay. */
function writeAssistant(
  path: string,
  format: Format,
  { assistant }: RemoteAssistant,
  file: AssistantFile | undefined,
): void {
  const fields = toFileFields(toContent(assistant));
  const text = file ? updateFile(format, file.text, assistant.id, fields) : formatFile(format, assistant.id, fields);
  writeWhole(path, text);
}

/** Removes the files of assistants that were deleted on the server, unless they were edited here. */
function removeDeleted({ path, files, lock }: Folder, next: Lock, ids: Set<string>, force: boolean): string[] {
  const conflicts: string[] = [];
  for (const entry of Object.values(lock?.assistants ?? {})) {
    if (ids.has(entry.id)) continue;
    const file = files.find(({ id }) => id === entry.id);
    if (!file) continue;
    const isEdited = !isUnchanged(path, file) || (!force && computeDigest(file.content) !== entry.digest);
    if (isEdited) {
      conflicts.push(`${join(path, file.name)} was deleted on the server, but has changes here`);
      next.assistants[file.name] = entry;
    } else {
      rmSync(join(path, file.name));
      print(`${join(path, file.name)}: deleted`);
    }
  }
  return conflicts;
}

export const pull = command({
  summary: 'Write your assistants into a folder, one file each',
  args: '[FOLDER]',
  count: [0, 1],
  details: [
    `FOLDER is "${defaultFolder}" unless you name another. Files that you have edited stay as they are. If the server has changed as`,
    'well, that is a conflict. To merge both with git, pull into a branch that begins where your files were equal to the server:',
    '',
    `  git add ${defaultFolder} && git commit --message "What I changed"`,
    `  git switch --create server $(git log -1 --format=%h -- ${join(defaultFolder, lockName)})`,
    '  voice-assistants assistants pull',
    `  git add ${defaultFolder} && git commit --message "What others changed"`,
    '  git switch - && git merge server && git branch --delete server',
  ].join('\n'),
  options: {
    format: { type: 'string', value: 'FORMAT', help: 'yaml (the default) or json, for new files' },
    force: { type: 'boolean', help: 'Overwrite files that were edited here' },
    ...connectOptions,
  },
  async run([path = defaultFolder], { format = 'yaml', force = false, ...values }) {
    if (format !== 'yaml' && format !== 'json') throw new UsageError('--format should be yaml or json');
    const { client, url } = await connect(values);
    const folder = await readFolder(path, url);
    const remotes = await readAllAssistants(client);
    const newFields = new Set(remotes.flatMap(({ assistant }) => listNewFields(assistant)));
    if (newFields.size > 0)
      note(`The server is newer than this program, which leaves out ${[...newFields].join(', ')}: update it`);

    mkdirSync(path, { recursive: true });
    const next: Lock = { api: url, assistants: {}, creating: { ...folder.lock?.creating } };
    const byId = new Map(folder.files.map((file) => [file.id, file]));
    const known = Object.entries(folder.lock?.assistants ?? {});
    const taken = [...folder.files.map(({ name }) => name), ...known.map(([name]) => name)];
    const outcomes: Outcome[] = [];
    const conflicts: string[] = [];
    for (const remote of remotes) {
      const { id, name: title } = remote.assistant;
      const [lockedName, entry] = known.find(([, one]) => one.id === id) ?? [];
      const created = byId.has(id) || entry ? undefined : findCreated(folder, next, remote);
      if (created) {
        writeWhole(join(path, created.name), addId(created.format, created.text, id));
        print(`${join(path, created.name)}: got its id`);
        outcomes.push('equal');
        next.assistants[created.name] = toEntry(remote);
        delete next.creating[created.name];
        continue;
      }
      const inPlace = folder.files.find(({ name }) => name === lockedName);
      const file = byId.get(id) ?? (inPlace?.id === undefined ? inPlace : undefined);
      const freeName = inPlace ? undefined : lockedName;
      const name = file?.name ?? freeName ?? chooseFileName(title, format, taken);
      taken.push(name);
      const decided = decide(remote, file, entry?.digest, force);
      const outcome = decided === 'written' && isSaved(path, name, file) ? 'conflict' : decided;
      outcomes.push(outcome);
      if (outcome === 'conflict') conflicts.push(describeConflict(join(path, name), remote, file));
      if (outcome === 'written') {
        writeAssistant(join(path, name), file?.format ?? (name.endsWith('.json') ? 'json' : 'yaml'), remote, file);
        print(`${join(path, name)}: ${file ? 'updated' : 'written'}`);
      }
      if (outcome !== 'conflict') next.assistants[name] = toEntry(remote);
      else if (entry) next.assistants[name] = entry;
    }
    conflicts.push(...removeDeleted(folder, next, new Set(remotes.map(({ assistant }) => assistant.id)), force));
    writeLock(path, next);
    const countOf = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
    const kept = countOf('kept') > 0 ? `, ${countOf('kept')} with changes of yours` : '';
    print(
      `${count(remotes.length, 'assistant')}: ${countOf('written')} written, ${countOf('equal')} unchanged${kept}${formatConflicts(conflicts.length)}`,
    );
    if (conflicts.length > 0)
      throw new UserError([...conflicts, 'assistants pull --help shows how to merge both with git'].join('\n'));
  },
});
