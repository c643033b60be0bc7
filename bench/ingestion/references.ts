import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { CorpusFile } from './corpus.ts';
import { listWords } from './recall.ts';

/** Other reader of a kind of file: the commands that it needs, and a function that returns the text. */
interface Reference {
  commands: string[];
  read(file: CorpusFile): Promise<string>;
}

const timeoutMs = 120_000;

/** Runs a command with an input. Returns its output. Throws if the command fails or takes too long. */
async function runCommand(command: string, args: string[], input: string | Buffer = ''): Promise<string> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: timeoutMs, killSignal: 'SIGKILL' });
  child.stdin.on('error', () => {}); // a command that does not read its input
  child.stdin.end(input);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const output = await buffer(child.stdout);
  const code = await closed;
  if (code !== 0) throw new Error(`${command} exited with ${code}`);
  return output.toString('utf8');
}

const program = join(import.meta.dirname, 'read-text.py');
const python = (kind: string): Reference => ({
  commands: ['python3'],
  read: ({ file, encoding }) => runCommand('python3', [program, kind, file, ...(encoding ? [encoding] : [])]),
});

/** Pandoc writes HTML: its plain text marks superscripts and emphasis with characters that split words. */
const pandoc = (format: string): Reference => ({
  commands: ['pandoc', 'python3'],
  async read({ file }) {
    const html = await runCommand('pandoc', ['--from', format, '--to', 'html', '--wrap=none', '--mathml', file]);
    return runCommand('python3', [program, 'html', '-'], html);
  },
});

/** LibreOffice converts a copy into another format, with a profile of its own, since a profile takes one process. */
const office = (format: string, extension: string, readOutput: (file: string) => Promise<string>): Reference => ({
  commands: ['soffice', 'python3'],
  async read({ file }) {
    const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-office-'));
    try {
      const profile = `-env:UserInstallation=${pathToFileURL(join(dir, 'profile'))}`;
      const output = join(dir, 'output');
      await runCommand('soffice', [profile, '--headless', '--convert-to', format, '--outdir', output, file]);
      const texts = await Promise.all(globSync(join(output, `*.${extension}`)).map(readOutput));
      return texts.join('\n');
    } finally {
      rmSync(dir, { recursive: true });
    }
  },
});

/** All sheets as they are shown, as UTF-8 with commas. */
const sheets = office('csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1', 'csv', (file) =>
  runCommand('python3', [program, 'csv', file]),
);

/** Flat XML: the text of a PDF breaks words where letters are spaced or lines end. */
const slides = office('fodp', 'fodp', (file) => runCommand('python3', [program, 'odf', file]));

/** Least confidence of a word, in percent. Tesseract also finds words in pictures and stains. */
export const minConfidence = 80;

/** Returns the words of a picture of which Tesseract is certain. */
async function recognizeWords(file: string): Promise<string[]> {
  const table = await runCommand('tesseract', [file, '-', '-l', 'eng', 'tsv']);
  const rows = table.split('\n').map((line) => line.split('\t'));
  return rows.flatMap(([, , , , , , , , , , confidence, word = '']) =>
    Number(confidence) >= minConfidence ? [word] : [],
  );
}

/** Words that Tesseract also finds when a picture is enlarged: it is certain of many misread ones, but reads them differently then. */
const tesseract: Reference = {
  commands: ['tesseract', 'convert'],
  async read({ file }) {
    const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-picture-'));
    try {
      const enlarged = join(dir, 'enlarged.tiff');
      await runCommand('convert', [file, '-resize', '200%', enlarged]);
      const again = listWords((await recognizeWords(enlarged)).join(' '));
      return [...listWords((await recognizeWords(file)).join(' '))].filter((word) => again.has(word)).join(' ');
    } finally {
      rmSync(dir, { recursive: true });
    }
  },
};

/** Other readers by kind of file. All are packages of Debian. */
const references: Record<string, Reference> = {
  pdf: { commands: ['pdftotext'], read: ({ file }) => runCommand('pdftotext', ['-enc', 'UTF-8', file, '-']) },
  docx: pandoc('docx'),
  pptx: slides,
  xlsx: sheets,
  odt: pandoc('odt'),
  ods: sheets,
  odp: slides,
  rtf: office('txt:Text (encoded):UTF8', 'txt', async (file) => readFileSync(file, 'utf8')), // pandoc ignores code pages
  epub: pandoc('epub'),
  eml: python('eml'),
  html: python('html'),
  txt: python('text'),
  encodings: python('text'),
  markdown: pandoc('gfm'),
  csv: python('csv'),
  json: python('json'),
  png: tesseract,
  jpeg: tesseract,
  tiff: tesseract,
  webp: tesseract,
  gif: tesseract,
};

const isInstalled = (command: string) => spawnSync('which', [command]).status === 0;

/** Returns the commands that the reference of a kind needs, but which are not installed. */
export const listMissingCommands = (kind: string): string[] =>
  (references[kind]?.commands ?? [`a reference for ${kind}`]).filter((command) => !isInstalled(command));

/** Returns the text that the reference reads; empty if it cannot. Keeps it in the folder, since references take long. */
export async function readReference(file: CorpusFile, folder: string): Promise<string> {
  const cached = join(folder, 'references', `${file.name}.txt`);
  if (!existsSync(cached)) {
    const text = (await references[file.kind]?.read(file).catch(() => '')) ?? '';
    mkdirSync(dirname(cached), { recursive: true });
    writeFileSync(cached, text);
  }
  return readFileSync(cached, 'utf8');
}
