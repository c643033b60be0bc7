import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile, transform } from 'esbuild';

/**
 * esbuild options with the fastest measured cold start:
 * - CommonJS, and `require` for dynamic imports: importing `node:http` as ESM loads undici, 25 ms against 3.
 * - The external credential providers never run on Lambda, which passes its keys in the environment.
 */
export const bundleOptions = {
  absWorkingDir: join(import.meta.dirname, '../..'),
  bundle: true,
  minify: true,
  metafile: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  mainFields: ['module', 'main'],
  supported: { 'dynamic-import': false },
  define: { 'import.meta.dirname': 'undefined' }, // the default in CommonJS; setting it avoids a warning
  alias: {
    '@aws-sdk/endpoint-cache': './infra/bundle/stubs/endpoint-cache.ts',
    debug: './infra/bundle/stubs/debug.ts',
    '@smithy/core/event-streams': './infra/bundle/stubs/event-streams.ts',
    '@modelcontextprotocol/server/_shims': './infra/bundle/stubs/mcp-validator.ts',
  },
  external: [
    '@aws-sdk/credential-provider-sso',
    '@aws-sdk/credential-provider-ini',
    '@aws-sdk/credential-provider-process',
    '@aws-sdk/credential-provider-web-identity',
    '@aws-sdk/credential-provider-http',
    '@aws-sdk/credential-provider-login',
    '@smithy/credential-provider-imds',
  ],
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/**
 * Bundles the document parser next to the function that starts it. Code splitting lets a process load only what its
 * document needs: plain text needs none of the 2 MB for PDFs and images. CommonJS packages in the bundle rely on the
 * banner.
 */
const bundleParser = (outdir: string) =>
  build({
    ...bundleOptions,
    format: 'esm',
    splitting: true,
    supported: {},
    entryPoints: { parser: 'shared/parser/program.ts' },
    outdir,
    outExtension: { '.js': '.mjs' },
    banner: {
      js: "import{createRequire as $require}from'node:module';const require=$require(import.meta.url),__dirname=import.meta.dirname;",
    },
  });

/** Returns the files that an output loads, itself included: all of them, or only those that it loads when it starts. */
export function listLoadedFiles(entry: string, { outputs }: Metafile, { atStart = false } = {}): Set<string> {
  const found = new Set([entry]); // grows while it is iterated
  for (const file of found) {
    for (const { path, kind, external } of outputs[file]?.imports ?? []) {
      if (!external && !(atStart && kind === 'dynamic-import')) found.add(path);
    }
  }
  return found;
}

/**
 * Bundles a function with each of its dynamic imports in a file of its own, which is read when it is needed. esbuild splits only ES
 * modules, so its files become CommonJS afterwards.
 */
async function bundleSplit(name: string, outdir: string): Promise<Metafile> {
  const { metafile, outputFiles } = await build({
    ...bundleOptions,
    format: 'esm',
    splitting: true,
    supported: {},
    entryPoints: { index: `functions/${name}.ts` },
    outdir: join(outdir, name),
    write: false,
  });
  mkdirSync(join(outdir, name), { recursive: true });
  const { absWorkingDir, format, target, platform, minify, supported } = bundleOptions;
  const toKey = (path: string) => relative(absWorkingDir, path);
  // esbuild also returns dynamic imports of code that it has dropped.
  const loaded = listLoadedFiles(toKey(join(outdir, name, 'index.js')), metafile);
  const outputs: Metafile['outputs'] = {};
  for (const { path, text } of outputFiles) {
    const output = metafile.outputs[toKey(path)];
    if (!output || !loaded.has(toKey(path))) continue;
    const { code } = await transform(text, { format, target, platform, minify, supported, legalComments: 'none' });
    writeFileSync(path, code);
    outputs[toKey(path)] = { ...output, bytes: Buffer.byteLength(code) };
  }
  return { inputs: metafile.inputs, outputs };
}

/** Returns true if code of this project in an output imports something dynamically. The SDK does so everywhere, in vain. */
const hasDynamicImport = ({ inputs }: Metafile['outputs'][string], metafile: Metafile): boolean =>
  Object.keys(inputs).some(
    (path) =>
      !path.includes('node_modules') && metafile.inputs[path]?.imports.some(({ kind }) => kind === 'dynamic-import'),
  );

/**
 * Bundles each function into a separate folder, which it empties first: all of its files are deployed. Functions are paths below
 * `functions/`, without extension. Returns esbuild's metafile.
 */
export async function bundleFunctions(functions: string[], outdir: string): Promise<Metafile> {
  for (const name of functions) rmSync(join(outdir, name), { recursive: true, force: true });
  const entryPoints = Object.fromEntries(functions.map((name) => [`${name}/index`, `functions/${name}.ts`]));
  const whole = await build({ ...bundleOptions, entryPoints, outdir });
  const split = Object.entries(whole.metafile.outputs).filter(([, output]) => hasDynamicImport(output, whole.metafile));
  const bundles = [whole.metafile];
  for (const [, { entryPoint = '' }] of split) {
    bundles.push(await bundleSplit(entryPoint.replace(/^functions\/|\.ts$/g, ''), outdir));
  }
  if (functions.includes('ingest')) bundles.push((await bundleParser(join(outdir, 'ingest'))).metafile);
  return {
    inputs: Object.assign({}, ...bundles.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...bundles.map(({ outputs }) => outputs)),
  };
}
