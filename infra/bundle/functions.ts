import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

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

/**
 * Bundles each function into a separate folder. Functions are paths below `functions/`, without extension. Returns
 * esbuild's metafile.
 */
export async function bundleFunctions(functions: string[], outdir: string): Promise<Metafile> {
  const entryPoints = Object.fromEntries(functions.map((name) => [`${name}/index`, `functions/${name}.ts`]));
  const { metafile } = await build({ ...bundleOptions, entryPoints, outdir });
  if (!functions.includes('ingest')) return metafile;
  const parser = await bundleParser(join(outdir, 'ingest'));
  return {
    inputs: { ...metafile.inputs, ...parser.metafile.inputs },
    outputs: { ...metafile.outputs, ...parser.metafile.outputs },
  };
}
