import { UsageError, UserError } from '../errors.ts';
import { readTextFile } from '../read-text-file.ts';
import { count, toLine } from '../terminal.ts';
import { getKeyVariable, type Platform, platforms, readAgents } from './api/agents.ts';
import { ApiFailure } from './api/request.ts';
import { importDograh } from './dograh.ts';
import type { AssistantBody } from './draft.ts';
import { importElevenlabs } from './elevenlabs.ts';
import { ImportError, type ImportedAssistant, type ImportResult } from './import-document.ts';
import { importRetell } from './retell.ts';
import type { Warning } from './source.ts';
import { importVapi } from './vapi.ts';

/** Options of the command, for `parseArgs`, with their help. */
export const importOptions = {
  file: {
    type: 'string',
    value: 'FILE',
    help: "Read agents from a JSON file, - for standard input, instead of the platform's API",
  },
  id: { type: 'string', value: 'ID', multiple: true, help: 'Only the agent with this id; can be repeated' },
  key: { type: 'string', value: 'KEY', help: "Key of the platform's API; better in a variable such as VAPI_API_KEY" },
  'platform-url': { type: 'string', value: 'URL', help: "Address of the platform's API, if it is another" },
  'dry-run': { type: 'boolean', help: 'Create nothing, only say what would be lost' },
} as const;

/** Values of the options. */
export interface ImportValues {
  file?: string | undefined;
  id?: string[] | undefined;
  key?: string | undefined;
  'platform-url'?: string | undefined;
  'dry-run'?: boolean | undefined;
}

/** Parts of the program that the command uses. */
export interface ImportContext {
  /** Creates an assistant. Throws an Error that says what to do. */
  create(assistant: AssistantBody): Promise<{ id: string }>;
  print(line: string): void;
  printError(line: string): void;
  env: Record<string, string | undefined>;
  stdin: AsyncIterable<Uint8Array | string>;
}

/** Exit codes, as commands have them by convention. */
const exitCodes = { done: 0, failed: 1, usage: 2 };

const importers: Record<Platform, (document: unknown) => Promise<ImportResult>> = {
  vapi: importVapi,
  retell: importRetell,
  elevenlabs: importElevenlabs,
  dograh: importDograh,
};

const maxFileBytes = 20_000_000;
/** Fields that one line names at most. */
const maxPaths = 200;

const isPlatform = (text: string | undefined): text is Platform => platforms.some((one) => one === text);

/** Imports agents of another platform. Returns the exit code. */
export async function importAgents(args: string[], values: ImportValues, context: ImportContext): Promise<number> {
  try {
    const [platform, ...others] = args;
    if (!isPlatform(platform) || others.length > 0)
      throw new UsageError(
        `Name one platform, of ${platforms.join(', ')}: voice-assistants import vapi --file agents.json`,
      );
    const skipped: string[] = [];
    const document = await readDocument(platform, values, context, skipped);
    if (skipped.length > 0)
      context.printError(
        toLine(`Not read, because ids have up to 128 letters, digits, _ and -: ${skipped.join(', ')}`),
      );
    const result = await importers[platform](document);
    const code = await createAll(result, values['dry-run'] === true, context);
    return skipped.length > 0 ? exitCodes.failed : code;
  } catch (error) {
    const isKnown = [UsageError, UserError, ApiFailure, ImportError].some((known) => error instanceof known);
    if (!isKnown) throw error;
    context.printError(toLine((error as Error).message));
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

async function readDocument(
  platform: Platform,
  { file, id, key, 'platform-url': url }: ImportValues,
  context: ImportContext,
  skipped: string[],
) {
  if (file !== undefined) {
    if (id || key !== undefined || url !== undefined)
      throw new UsageError('--id, --key and --platform-url are for the API: leave them out, or --file');
    return parseJson(await readInput(file, context), file);
  }
  const variable = getKeyVariable(platform);
  const found = key ?? context.env[variable];
  if (!found) throw new UsageError(`Name a file with --file, or set ${variable} to read from the API`);
  return readAgents(platform, { key: found.trim(), url, ids: id ?? [], onSkip: (one) => skipped.push(one) });
}

async function readInput(file: string, { stdin }: ImportContext): Promise<string> {
  if (file === '-') {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stdin) {
      const buffer = Buffer.from(chunk);
      bytes += buffer.length;
      if (bytes > maxFileBytes) throw new UserError('Standard input has more than 20 MB: split it');
      chunks.push(buffer);
    }
    return Buffer.concat(chunks).toString();
  }
  try {
    return readTextFile(file, maxFileBytes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UserError(`Cannot read ${file}: ${code ?? message}`);
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    const lines = text.slice(0, Number(position)).split('\n');
    const place = `: see line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
    throw new UserError(`${file} is no JSON${position === undefined ? '' : place}`);
  }
}

/** Creates the assistants one after another, and stops at the first that cannot be created. */
async function createAll(
  { assistants, warnings }: ImportResult,
  isDry: boolean,
  context: ImportContext,
): Promise<number> {
  const { print, printError } = context;
  printWarnings(warnings, print);
  const ready = assistants.filter((one) => one.assistant);
  let created = 0;
  for (const { source, assistant, refusal, warnings: own } of assistants) {
    if (!assistant) {
      print(toLine(`${source}: not imported. ${refusal}`));
      continue;
    }
    if (isDry) print(toLine(`${source}: can be imported`));
    else {
      try {
        const { id } = await context.create(assistant);
        created += 1;
        print(toLine(`${source}: created ${id}`));
      } catch (error) {
        printError(toLine(`${source}: not created. ${(error as Error).message}`));
        printError(`Created ${created} of ${count(ready.length, 'assistant')}, and tried no further`);
        return exitCodes.failed;
      }
    }
    printWarnings(own, print);
  }
  print(summarize(assistants, isDry));
  return ready.length === assistants.length ? exitCodes.done : exitCodes.failed;
}

function summarize(assistants: ImportedAssistant[], isDry: boolean): string {
  const ready = assistants.filter((one) => one.assistant).length;
  const refused = assistants.length - ready;
  const done = isDry ? `${count(ready, 'assistant')} can be imported` : `${count(ready, 'assistant')} created`;
  return refused > 0 ? `${done}, ${refused} not` : done;
}

/** Headings of the kinds of warnings, in their order in the output. */
const headings: Record<Warning['kind'], string> = {
  secret: 'Keys, which are never imported',
  changed: 'Changed',
  lost: 'Lost',
  unneeded: 'Not needed',
};

/** Prints warnings by kind and reason, with the fields that each is about. */
function printWarnings(warnings: Warning[], print: (line: string) => void): void {
  for (const [kind, heading] of Object.entries(headings)) {
    const byReason = new Map<string, string[]>();
    for (const { path, reason } of warnings.filter((one) => one.kind === kind)) {
      const paths = byReason.get(reason) ?? [];
      paths.push(path || 'the document');
      byReason.set(reason, paths);
    }
    if (byReason.size > 0) print(`  ${heading}:`);
    for (const [reason, paths] of byReason) {
      const more = paths.length > maxPaths ? ` and ${count(paths.length - maxPaths, 'other')}` : '';
      print(`    ${toLine(`${paths.slice(0, maxPaths).join(', ')}${more}: ${reason}`)}`);
    }
  }
}
