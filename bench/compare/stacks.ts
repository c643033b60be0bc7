import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { tuned } from '../../infra/bundle.ts';
import { Problem } from '../../infra/problem.ts';

/** The stacks, by their files in bench/peers; ours has a function for each endpoint instead. */
export const peers = {
  'hand-written': 'by hand: no framework, no validator',
  hono: 'hono, zod',
  powertools: 'AWS Lambda Powertools, zod',
  express: 'express, serverless-http, zod',
  fastify: 'fastify, @fastify/aws-lambda',
} as const;

export const stacks = ['ours', ...(Object.keys(peers) as (keyof typeof peers)[])] as const;
export type Stack = (typeof stacks)[number];

export const endpoints = { read: 'assistants/get', write: 'assistants/create' } as const;
export type Endpoint = keyof typeof endpoints;

/** What their documentation advises, and how this service is built. */
const builds = {
  usual: {
    absWorkingDir: tuned.absWorkingDir,
    bundle: true,
    minify: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    outExtension: { '.js': '.mjs' },
    // Packages that are CommonJS need it in an ESM bundle.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'warning',
  },
  tuned: { ...tuned, outExtension: { '.js': '.cjs' } },
} as const satisfies Record<string, BuildOptions>;

export type Build = keyof typeof builds;
export const buildNames = Object.keys(builds) as Build[];

/** A bundle of a stack that answers an endpoint. */
export interface Bundle {
  stack: Stack;
  build: Build;
  endpoint: Endpoint;
  entry: string;
  bytes: number;
}

const folder = join(import.meta.dirname, '../peers');

/** Installs the peers' dependencies, which are their own, unless they are there. Throws Problem. */
function install(): void {
  const stamp = join(folder, 'node_modules/.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.error('Installing the peers (once) …');
  const npm = process.env.npm_execpath;
  if (!npm) throw new Problem('Run this by npm: npm run bench');
  const ci = [npm, 'ci', '--ignore-scripts', '--loglevel=error'];
  const { status } = spawnSync(process.execPath, ci, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Problem('The peers cannot be installed: see above');
  writeFileSync(stamp, wanted);
}

const sourceOf = (stack: Stack, endpoint: Endpoint) =>
  stack === 'ours' ? `functions/${endpoints[endpoint]}.ts` : `bench/peers/${stack}.ts`;

/** Bundles stacks in builds, into a folder. */
export async function bundleStacks(
  outdir: string,
  wanted: { stacks: readonly Stack[]; builds: readonly Build[] },
): Promise<Bundle[]> {
  // What is written by hand needs this project's packages only.
  if (wanted.stacks.some((stack) => stack !== 'ours' && stack !== 'hand-written')) install();
  const made: Bundle[] = [];
  for (const name of wanted.builds) {
    for (const stack of wanted.stacks) {
      for (const endpoint of Object.keys(endpoints) as Endpoint[]) {
        const file = join(outdir, name, stack, endpoint);
        const { metafile } = await build({
          ...builds[name],
          entryPoints: { [file]: sourceOf(stack, endpoint) },
          outdir: '/',
        });
        for (const [path, { bytes }] of Object.entries(metafile.outputs))
          made.push({ stack, build: name, endpoint, entry: join(tuned.absWorkingDir, path), bytes });
      }
    }
  }
  return made;
}
