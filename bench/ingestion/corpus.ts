import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../../infra/terminal/user-error.ts';

const runFile = promisify(execFile);

/** Public repository with documents of several kinds, at a fixed commit. */
interface Source {
  repository: string;
  commit: string;
  /** Encodings of text files, by folder, for files that do not name their own. */
  encodings?: Record<string, string>;
  /** Paths by kind. */
  files: Record<string, string[]>;
}

/** File of the corpus. */
export interface CorpusFile {
  kind: string;
  /** Repository and path: unique, and the path below the folders of the corpus. */
  name: string;
  /** Path of the copy. */
  file: string;
  encoding?: string | undefined;
}

const sources: Source[] = JSON.parse(readFileSync(join(import.meta.dirname, 'sources.json'), 'utf8'));

/** Runs git. Returns what it prints. */
async function runGit(gitDir: string, ...args: string[]): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: 64 * 2 ** 20 } as const;
  return (await runFile('git', [`--git-dir=${gitDir}`, ...args], options)).stdout;
}

/** Returns a git directory that has the commit: a mirror, or a partial clone of the repository on GitHub in the corpus folder. */
async function openRepository({ repository, commit }: Source, folder: string, mirrors?: string): Promise<string> {
  const name = repository.replace('/', '+');
  if (mirrors) {
    const [head] = globSync(join(mirrors, name, '{,*/,*/*/}HEAD'));
    if (!head) throw new UserError(`${mirrors} has no git repository ${name}: add it, or leave out --mirrors`);
    return dirname(head);
  }
  const gitDir = join(folder, 'repositories', name);
  if (existsSync(join(gitDir, 'FETCH_HEAD'))) return gitDir;
  await runFile('git', ['init', '--quiet', '--bare', gitDir]);
  await runGit(gitDir, 'remote', 'add', 'origin', `https://github.com/${repository}.git`);
  await runGit(gitDir, 'fetch', '--quiet', '--depth=1', '--filter=blob:none', 'origin', commit).catch((cause) => {
    throw new UserError(`${repository} cannot be fetched: check the network, or use --mirrors`, { cause });
  });
  return gitDir;
}

/** Copies the files of the given kinds into the folder, unless they are there. The commit's id proves their content. */
export async function obtainCorpus(folder: string, kinds: string[], mirrors?: string): Promise<CorpusFile[]> {
  const corpus: CorpusFile[] = [];
  for (const source of sources) {
    const { repository, commit, files, encodings = {} } = source;
    const wanted = kinds.flatMap((kind) =>
      (files[kind] ?? []).map((path) => {
        const name = `${repository}/${path}`;
        const encoding = Object.entries(encodings).find(([start]) => path.startsWith(`${start}/`))?.[1];
        return { kind, name, path, file: join(folder, 'files', name), encoding };
      }),
    );
    const missing = wanted.filter(({ file }) => !existsSync(file));
    const gitDir = missing.length > 0 ? await openRepository(source, folder, mirrors) : '';
    for (const { path, file } of missing) {
      const bytes = await runGit(gitDir, 'cat-file', 'blob', `${commit}:${path}`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
    corpus.push(...wanted.map(({ kind, name, file, encoding }) => ({ kind, name, file, encoding })));
  }
  return corpus;
}

/** Kinds of the corpus, in alphabetical order. */
export const corpusKinds = [...new Set(sources.flatMap(({ files }) => Object.keys(files)))].sort();

/** Names of the repositories of the corpus. */
export const repositories = sources.map(({ repository }) => repository);
