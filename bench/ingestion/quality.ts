import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runInParallel } from '../../infra/commands/data/in-parallel.ts';
import { UserError } from '../../infra/terminal/user-error.ts';
import { detectKind } from '../../shared/reading/kind.ts';
import { createOcr } from '../../shared/reading/ocr.ts';
import { parseFile } from '../../shared/reading/parse-file.ts';
import { Unreadable } from '../../shared/reading/unreadable.ts';
import { detectLanguage } from '../../shared/search/common-words.ts';
import { type CorpusFile, corpusKinds, obtainCorpus } from './corpus.ts';
import { type Comparison, type KindSummary, listWords, summarizeKind } from './recall.ts';
import { listMissingCommands, readReference } from './references.ts';

/** What our reader made of a file. */
interface Reading {
  text: string;
  /** Reason of a failure. */
  reason?: string;
  warnings: string[];
}

/** Reads a file as the deployed parser does, but in this process: a new one for each file would take most of the time. */
async function readFile({ file }: CorpusFile): Promise<Reading> {
  const bytes = new Uint8Array(readFileSync(file));
  const kind = await detectKind(bytes, { fileName: basename(file) });
  if (!kind) return { text: '', reason: 'unsupported', warnings: [] };
  try {
    const { pages, warnings } = await parseFile(bytes, kind, {
      ocr: createOcr({ available: ['en'] }, detectLanguage),
    });
    return { text: pages.map(({ text }) => text).join('\n'), warnings: warnings.map(({ type }) => type) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { text: '', reason: error.reason, warnings: [] };
  }
}

const maxListedWords = 30;

export interface QualityOptions {
  /** Folder of the corpus and of the references' texts. */
  folder: string;
  /** Folder of git repositories to use instead of GitHub. */
  mirrors?: string | undefined;
  /** Kinds to measure; all by default. */
  kinds?: string[] | undefined;
  processes: number;
}

/**
 * Compares our reader with other readers, file by file, and writes `comparison.json` into the folder, the files with the lowest recall
 * first. Prints the kinds that cannot be measured. Returns a summary per kind.
 */
export async function measureQuality({ folder, mirrors, kinds, processes }: QualityOptions): Promise<KindSummary[]> {
  const unknown = kinds?.filter((kind) => !corpusKinds.includes(kind)) ?? [];
  if (unknown.length > 0) {
    throw new UserError(`The corpus has no ${unknown.join(', ')}: it has ${corpusKinds.join(', ')}`);
  }
  const measured = (kinds ?? corpusKinds).filter((kind) => {
    const missing = listMissingCommands(kind);
    if (missing.length > 0) console.log(`Leaves out ${kind}: install ${missing.join(' and ')} to measure it`);
    return missing.length === 0;
  });
  const files = await obtainCorpus(folder, measured, mirrors);
  const comparisons: (Comparison & Omit<Reading, 'text'> & { missing: string[] })[] = [];
  await runInParallel(files, processes, async (file) => {
    const expected = [...listWords(await readReference(file, folder))];
    if (expected.length === 0) return;
    const { text, reason, warnings } = await readFile(file);
    const words = listWords(text);
    const missing = expected.filter((word) => !words.has(word));
    comparisons.push({
      kind: file.kind,
      name: file.name,
      isReady: reason === undefined,
      hasWarnings: warnings.length > 0,
      recall: 1 - missing.length / expected.length,
      ...(reason ? { reason } : {}),
      warnings,
      missing: missing.slice(0, maxListedWords),
    });
  });
  comparisons.sort((one, other) => one.recall - other.recall || one.name.localeCompare(other.name));
  writeFileSync(join(folder, 'comparison.json'), `${JSON.stringify(comparisons, null, 2)}\n`);
  return measured.map((kind) =>
    summarizeKind(
      kind,
      comparisons.filter((one) => one.kind === kind),
    ),
  );
}
