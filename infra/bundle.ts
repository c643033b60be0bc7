import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

/**
 * The settings that were measured to start fastest:
 * - CommonJS, and `require` for dynamic imports: an ESM import of `node:http` loads undici, 25 ms against 3.
 * - The excluded credential providers never run on Lambda, which hands its keys over in the environment.
 */
export const tuned = {
  absWorkingDir: join(import.meta.dirname, '..'),
  bundle: true,
  minify: true,
  metafile: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  mainFields: ['module', 'main'],
  supported: { 'dynamic-import': false },
  define: { 'import.meta.dirname': 'undefined' }, // as in any CommonJS, but said, which spares a warning
  alias: {
    '@aws-sdk/endpoint-cache': './infra/no-endpoint-cache.ts',
    '@smithy/core/event-streams': './infra/no-event-streams.ts',
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
 * Bundles the program that reads a document, beside the function that starts it. It is a module in several files, of which a process
 * loads what its document needs: text needs none of the 2 MB for PDFs and pictures. The banner is what CommonJS packages in it expect.
 */
const bundleParser = (outdir: string) =>
  build({
    ...tuned,
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

/**
 * Bundles functions, each into a folder of its own. They are paths below `functions/`, without extension. Returns esbuild's account
 * of what went into each.
 */
export async function bundle(functions: string[], outdir: string): Promise<Metafile> {
  const entryPoints = Object.fromEntries(functions.map((name) => [`${name}/index`, `functions/${name}.ts`]));
  const { metafile } = await build({ ...tuned, entryPoints, outdir });
  if (!functions.includes('ingest')) return metafile;
  const parser = await bundleParser(join(outdir, 'ingest'));
  return {
    inputs: { ...metafile.inputs, ...parser.metafile.inputs },
    outputs: { ...metafile.outputs, ...parser.metafile.outputs },
  };
}
