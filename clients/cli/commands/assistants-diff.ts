import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { toContent, toFileFields } from '../assistants/content.ts';
import { checkFolder, defaultFolder, readFolder } from '../assistants/folder.ts';
import { formatFile } from '../assistants/format.ts';
import { listWarnings, makePlan, type Step } from '../assistants/plan.ts';
import { command } from '../command.ts';
import { UserError } from '../errors.ts';
import { connect, connectOptions } from '../login/connect.ts';
import { count, formatConflicts, note, print } from '../terminal.ts';

/** Formats a step as a patch, from the server to the folder. Both sides are written alike, so that only real changes show. */
function formatStep(folder: string, step: Step): string {
  const path = join(folder, step.name);
  const [before, after] = [
    step.kind === 'create'
      ? ''
      : formatFile('yaml', step.current.assistant.id, toFileFields(toContent(step.current.assistant))),
    step.kind === 'delete'
      ? ''
      : formatFile('yaml', step.file.id ?? '', toFileFields(step.file.content)).replace(/^id: "?"?\n/, ''),
  ];
  const names = [step.kind === 'create' ? '/dev/null' : `server/${path}`, step.kind === 'delete' ? '/dev/null' : path];
  return createTwoFilesPatch(names[0] ?? '', names[1] ?? '', before ?? '', after ?? '').replace(/^=+\n/, '');
}

export const diff = command({
  summary: 'Show what a push would change',
  args: '[FOLDER]',
  count: [0, 1],
  details: `FOLDER is "${defaultFolder}" unless you name another. The exit code is 1 if a push would be refused, else 0.`,
  options: connectOptions,
  async run([path = defaultFolder], values) {
    const { client, url } = await connect(values);
    const folder = await readFolder(path, url);
    checkFolder(folder);
    const { steps, equal, conflicts } = await makePlan(client, folder);
    for (const step of [...steps, ...conflicts.flatMap((conflict) => conflict.step ?? [])])
      print(formatStep(path, step));
    for (const warning of listWarnings(path, steps)) note(warning);
    const countOf = (kind: Step['kind']) => steps.filter((step) => step.kind === kind).length;
    const deletes = countOf('delete') > 0 ? `, ${countOf('delete')} to delete with push --delete` : '';
    print(
      `${count(folder.files.length, 'assistant')}: ${countOf('create')} to create, ${countOf('update')} to update${deletes}, ${equal.length} unchanged${formatConflicts(conflicts.length)}`,
    );
    if (conflicts.length > 0) throw new UserError(conflicts.map(({ sentence }) => sentence).join('\n'));
  },
});
