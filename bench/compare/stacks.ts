import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundleOptions } from '../../infra/bundle/functions.ts';
import { UserError } from '../../infra/terminal/user-error.ts';

/** Descriptions of the alternative stacks, by their file names in bench/peers. */
export const peers = {
  'hand-written': 'hand-written: no framework, no validator',
  hono: 'hono, zod',
  powertools: 'AWS Lambda Powertools, zod',
  express: 'express, serverless-http, zod',
  fastify: 'fastify, @fastify/aws-lambda',
} as const;

export const stacks = ['ours', ...(Object.keys(peers) as (keyof typeof peers)[])] as const;
export type Stack = (typeof stacks)[number];

export const endpoints = { read: 'assistants/get', write: 'assistants/create' } as const;
export type Endpoint = keyof typeof endpoints;

/** Build options: those that the stacks' documentation recommends, and those of this service. */
const builds = {
  usual: {
    absWorkingDir: bundleOptions.absWorkingDir,
    bundle: true,
    minify: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    outExtension: { '.js': '.mjs' },
    // CommonJS packages need `require` in an ESM bundle.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'warning',
  },
  tuned: { ...bundleOptions, outExtension: { '.js': '.cjs' } },
} as const satisfies Record<string, BuildOptions>;

export type Build = keyof typeof builds;
export const buildNames = Object.keys(builds) as Build[];

/** Bundle of a stack that serves an endpoint. */
export interface Bundle {
  stack: Stack;
  build: Build;
  endpoint: Endpoint;
  entry: string;
  bytes: number;
}

const folder = join(import.meta.dirname, '../peers');

/** Installs the dependencies of the alternative stacks, unless they are current. Throws UserError. */
function installPeers(): void {
  const stamp = join(folder, 'node_modules/.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.error('Installing the peers (once) …');
  const npm = process.env.npm_execpath;
  if (!npm) throw new UserError('Run this with npm: npm run bench');
  const ci = [npm, 'ci', '--ignore-scripts', '--loglevel=error'];
  const { status } = spawnSync(process.execPath, ci, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new UserError('The peers cannot be installed: see above');
  writeFileSync(stamp, wanted);
}

const getSourcePath = (stack: Stack, endpoint: Endpoint) =>
  stack === 'ours' ? `functions/${endpoints[endpoint]}.ts` : `bench/peers/${stack}.ts`;

/** Builds bundles of stacks into a folder. */
export async function bundleStacks(
  outdir: string,
  wanted: { stacks: readonly Stack[]; builds: readonly Build[] },
): Promise<Bundle[]> {
  // The hand-written stack uses this project's packages only.
  if (wanted.stacks.some((stack) => stack !== 'ours' && stack !== 'hand-written')) installPeers();
  const bundles: Bundle[] = [];
  for (const name of wanted.builds) {
    for (const stack of wanted.stacks) {
      for (const endpoint of Object.keys(endpoints) as Endpoint[]) {
        const file = join(outdir, name, stack, endpoint);
        const { metafile } = await build({
          ...builds[name],
          entryPoints: { [file]: getSourcePath(stack, endpoint) },
          outdir: '/',
        });
        for (const [path, { bytes }] of Object.entries(metafile.outputs))
          bundles.push({ stack, build: name, endpoint, entry: join(bundleOptions.absWorkingDir, path), bytes });
      }
    }
  }
  return bundles;
}
