import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bundleFunctions, bundleOptions, listLoadedFiles } from '../../infra/bundle/functions.ts';

const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
afterAll(() => rmSync(folder, { recursive: true }));

const name = 'completions/create';
mkdirSync(join(folder, name), { recursive: true });
writeFileSync(join(folder, name, 'chunk-OF-AN-EARLIER-BUILD.js'), '');
const metafile = await bundleFunctions([name], folder);
const entry = relative(bundleOptions.absWorkingDir, join(folder, name, 'index.js'));

const listModules = (files: Iterable<string>) =>
  [...files].flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}));

test.each(['liquidjs', '@aws-sdk/client-s3', '@orama/stemmers'])('a chat loads %s only when it needs it', (library) => {
  const isOfLibrary = (path: string) => path.includes(`node_modules/${library}/`);
  expect(listModules(listLoadedFiles(entry, metafile)).some(isOfLibrary)).toBe(true);
  expect(listModules(listLoadedFiles(entry, metafile, { atStart: true })).some(isOfLibrary)).toBe(false);
});

test('the folder of a function has only files that it loads', () => {
  const files = readdirSync(join(folder, name)).map((file) => relative('', join(folder, name, file)));
  expect(files.toSorted()).toEqual([...listLoadedFiles(entry, metafile)].toSorted());
});
