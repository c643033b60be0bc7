import { dirname, join } from 'node:path';
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

/** Programs that functions start, by the file beside the function's own bundle. */
const programs = { 'ingest/parser': 'shared/parser/program.ts' };

/**
 * Bundles functions, each into a folder of its own, and the programs that they start. They are paths below `functions/`, without
 * extension. Returns esbuild's account of what went into each.
 */
export async function bundle(functions: string[], outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    ...tuned,
    entryPoints: Object.fromEntries([
      ...functions.map((name) => [`${name}/index`, `functions/${name}.ts`]),
      ...Object.entries(programs).filter(([file]) => functions.includes(dirname(file))),
    ]),
    outdir,
  });
  return metafile;
}
