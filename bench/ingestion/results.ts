import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatTable } from '../../infra/terminal/markdown.ts';
import { corpusKinds, repositories } from './corpus.ts';
import { type KindSummary, silentRecall } from './recall.ts';
import { minConfidence } from './references.ts';

/** Saved results. */
interface Results {
  measuredOn: string;
  kinds: KindSummary[];
}

const file = join(import.meta.dirname, 'results.json');

const readResults = (): Results => JSON.parse(readFileSync(file, 'utf8'));

/** Saves results for docs/benchmarks.md. Kinds that were not measured keep theirs. */
export function writeResults(measuredOn: string, measured: KindSummary[]): void {
  const all = [...measured, ...readResults().kinds];
  const kinds = corpusKinds.flatMap((name) => all.find(({ kind }) => kind === name) ?? []);
  const round = (_: string, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 10_000) / 10_000 : value;
  writeFileSync(file, `${JSON.stringify({ measuredOn, kinds }, round, 2)}\n`);
}

const formatShare = (share: number) => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;

/** Returns the table of all kinds. */
export function formatSummaries(kinds: KindSummary[]): string {
  const heads = ['Kind', 'Files:', 'Read by both:', 'Share:', 'Median recall:', 'Lowest tenth:', 'Silent loss:'];
  return formatTable(
    heads,
    kinds.map(({ kind, files, ready, medianRecall, lowestTenth, silent }) => {
      const shares = [ready / files, medianRecall, lowestTenth].map(formatShare);
      return [kind, String(files), String(ready), ...shares, String(silent)];
    }),
  );
}

/** Builds the section of docs/benchmarks.md. */
export function buildDocumentSection(): string {
  const { measuredOn, kinds } = readResults();
  return `## Reading documents

How much of real documents is read, compared with other programs: pdftotext, pandoc, LibreOffice, Tesseract, and Python's \`email\`,
\`html.parser\`, \`csv\` and \`json\`. *Files* are those that the other program reads. *Recall* is the share of its distinct words that ours
has, too, and 0 for a file that fails; a tenth of the files have less than *lowest tenth*. *Silent loss* counts files that are ready without
a warning although their recall is below ${silentRecall * 100} %. The other programs err, too: they show dates in their own format, and split words
of PDFs elsewhere. Of pictures, only words count of which Tesseract is certain to ${minConfidence} % or more, read as English, in the
picture as it is and enlarged twofold: of many that it misreads in small letters (\`theit\`, \`itis\`) it is certain, too.
With those, JPEGs have a median of about 97 %. Fractions are rounded to six digits.

The ${kinds.reduce((sum, { files }) => sum + files, 0)} files come from ${repositories.length} public repositories at fixed commits, mostly tests of other readers
(\`bench/ingestion/sources.json\`). They were drawn in the order of a hash, in turns from each repository. Left out are copies, files with
fewer than ten words, files that are encrypted or that their names call invalid, encodings that no browser reads, a PDF of slanted lines that
pdftotext splits into letters, and a spreadsheet whose formulas LibreOffice computes anew. *encodings* are texts
and web pages that do not say their encoding.

\`npm run bench:ingestion -- --corpus ~/documents\` downloads the files, measures them, and lists the words that are missing from each.
Measured on ${measuredOn}.

${formatSummaries(kinds)}
`;
}
