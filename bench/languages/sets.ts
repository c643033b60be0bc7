import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { UserError } from '../../infra/terminal/user-error.ts';
import type { QuestionSet } from './measure.ts';

/** Public file with questions and the paragraphs that answer them, in the format of SQuAD. */
interface PublicSet {
  language: string;
  name: string;
  repository: string;
  commit: string;
  path: string;
  sha256: string;
}

const xquad = ([language, sha256]: [string, string]): PublicSet => ({
  language,
  name: 'XQuAD',
  repository: 'google-deepmind/xquad',
  commit: '60cac411649156efb6aab9dd4c9cde787a2c0345',
  path: `xquad.${language}.json`,
  sha256,
});

/** XQuAD, JSQuAD and SQuAD-it have the license CC BY-SA 4.0. No part of any set is in this repository. */
export const publicSets: PublicSet[] = [
  ...Object.entries({
    ar: 'abdabd7afed5c635d99cca0f3f0d0c9d9ed0bc77451e963c2e4e0638c29e486d',
    de: '990b5d746746ed65ed4702ea5f35f99ffa4e2f1c390c07d003642acd937916f9',
    el: '821cf0f88e73fa258fd2f548b19b6ec39f7025059e16f6f9fc8cd797c9c3663e',
    en: 'e4c57d1c9143aaa1c5d265ba5987a65f4e69528d2a98f29d6e75019b10344f29',
    es: 'dcbae93ec3a9f4b9e78fd834a171d6f96c1a875e10e15b7530b7e4ef4971e37e',
    hi: 'df2cce3532b37e9beb8979704b5c9a4bf874358f105395a298b89427b43b9d24',
    ro: '94f8d54e93ad2b7dd2e76dd921a666b5b8eff2d4379df9f179c42b445f09643f',
    ru: '208d5b1aa154c52b1b5c5eda16281e455e8fd198cdb9af3f469f0d6037d973bf',
    th: '5cdda11d0e1e075f7872abf4e6ae830388ce7f617964d542308e9ae4257e0f43',
    tr: '92179a564774b7696100d144c1e10870d0a966b6fccbdd254a65b9d2ab1971cc',
    vi: 'f619a1eb11fb42d3ab0834259e488a65f585447ef6154437bfb7199d85161a04',
    zh: '691d0b3359bc6b8faa8de931dfdfe21d50a65861ae348e32a0d1a0190b0c8835',
  }).map(xquad),
  {
    language: 'ja',
    name: 'JSQuAD',
    repository: 'yahoojapan/JGLUE',
    commit: '6f071c09316baae89c3d083a90985b4b1cb9968c',
    path: 'datasets/jsquad-v1.3/valid-v1.3.json',
    sha256: 'fb0a57a35281ff03bbe7f0e878cff5b577985fbe6fcb242e7e8ddb63d1c0ab11',
  },
  {
    language: 'it',
    name: 'SQuAD-it',
    repository: 'crux82/squad-it',
    commit: '86a19baebed654d07c4e790c07d39a02ceb6b15f',
    path: 'SQuAD_it-test.json.gz',
    sha256: '25986c617cc7d58e82e916755b8a5684e5efae69835332858a6534a304cd293c',
  },
  {
    language: 'fr',
    name: 'CNIL',
    repository: 'etalab-ia/piaf-ml',
    commit: '9c9abca01daf515714859330590dbb1c8121de6f',
    path: 'clients/cnil/knowledge_base/squad.json',
    sha256: '8cb051979ede97e349b066f31487888647562a6d680c8e5dc35be2e5d38c2efb',
  },
  {
    language: 'tr',
    name: 'TQuAD',
    repository: 'TQuad/turkish-nlp-qa-dataset',
    commit: '3bece60f62569182476fe00683793745ba92c32e',
    path: 'dev-v0.1.json',
    sha256: '1a42c8b00222db18331cbaa5b20d3f21c29196c46892e9602cc9a2a9b6b819b2',
  },
  {
    language: 'ar',
    name: 'ARCD',
    repository: 'husseinmozannar/SOQAL',
    commit: '1229d34aa2b7a0b9a2e4858c9268e68f45d7e3c4',
    path: 'data/arcd-test.json',
    sha256: 'b4ba4fb4227841bbce71e01b3eaecb33e9f17a08cde1ec91e5bc335da2c75135',
  },
];

const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest();

/** Reads a file from the folder, or downloads it to there. Throws UserError if it has another checksum. */
async function readFile({ name, repository, commit, path, sha256 }: PublicSet, folder: string): Promise<Buffer> {
  const file = join(folder, `${name}-${path.split('/').at(-1)}`);
  if (!existsSync(file)) {
    const url = `https://raw.githubusercontent.com/${repository}/${commit}/${path}`;
    const response = await fetch(url).catch((cause) => {
      throw new UserError(`${url} cannot be downloaded: download it yourself, as ${file}`, { cause });
    });
    if (!response.ok) throw new UserError(`${url} returned ${response.status}: download it yourself, as ${file}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  }
  const bytes = readFileSync(file);
  if (hash(bytes).toString('hex') !== sha256) throw new UserError(`${file} has another checksum: delete it`);
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

interface Paragraph {
  context: string;
  qas: { id?: string | number; question: string; is_impossible?: boolean }[];
}

/**
 * Reads a set. Half of its paragraphs are held out, by a hash of their first question's id, which is the same in all languages of
 * XQuAD, or else of their text.
 */
export async function readPublicSet(set: PublicSet, folder: string): Promise<QuestionSet> {
  const { data }: { data: { paragraphs: Paragraph[] }[] } = JSON.parse((await readFile(set, folder)).toString());
  const paragraphs = data.flatMap((article) => article.paragraphs);
  const texts = [...new Set(paragraphs.map(({ context }) => context))];
  const places = new Map(texts.map((text, i) => [text, i]));
  return {
    texts,
    questions: paragraphs.flatMap(({ context, qas }) => {
      const isHeldOut = ((hash(String(qas[0]?.id ?? context))[0] ?? 0) & 1) === 1;
      const answered = qas.filter(({ is_impossible: isImpossible }) => !isImpossible);
      return answered.map(({ question }) => ({ question, answer: places.get(context) ?? -1, isHeldOut }));
    }),
  };
}
