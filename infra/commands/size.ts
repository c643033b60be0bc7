import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Metafile } from 'esbuild';
import type { Route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';
import { bundleFunctions, bundleOptions, listLoadedFiles } from '../bundle/functions.ts';
import { nonRouteFunctions } from '../stacks/non-route-functions.ts';
import { readArguments } from '../terminal/arguments.ts';
import { run, UserError } from '../terminal/user-error.ts';

/** Budgets of the functions, in KiB: the minified files that a cold start reads and compiles, without those that are loaded later. */
const budgets = {
  withoutTable: 48, // the DynamoDB client is loaded for API keys and callers with limits
  reads: 243,
  writes: 258,
  withTemplates: 297, // LiquidJS is loaded for assistants with variables
  withToolCall: 332, // the same, and writes of the table, for its quota
  withKey: 278,
  withFiles: 427,
  withSearch: 440, // stemmers of several languages
  withForm: 512,
  withWebCall: 345, // LiveKit's tokens
  withAnswer: 525, // keys and search
  withMcp: 610, // half of it is the protocol's library and its schemas, an eighth the tools
  withChat: 417, // prompts, tools and keys; search and the store of sessions are loaded when they are needed
};

/** Routes that search documents, and return passages. */
const searchRoutes = ['knowledge-bases/search', 'search/passages'];

/** Bundle that is part of the function `ingest`. */
const parser = 'shared/parser/program';

/** Budgets of files without a route, in KiB. */
const otherBudgets: Record<string, number> = {
  fallback: 4,
  intake: 420,
  ingest: 420,
  erase: 380,
  relay: 250,
  deliver: 456,
  'run-job': 478,
  sweep: 255,
  [parser]: 119, // each format loads its own library
};

/** Routes that check or render the texts of an assistant. */
const templateRoutes = ['create', 'update', 'runtime-config', 'start-call'].map((one) => `assistants/${one}`);

function getBudget(name: string, route: Route | undefined): number {
  if (!route) return otherBudgets[name] ?? 0;
  if (name === 'protected/check') return budgets.withoutTable;
  if (route.streamSeconds) return route.id === 'search/answer' ? budgets.withAnswer : budgets.withChat;
  if (name === 'mcp/serve') return budgets.withMcp;
  if (templateRoutes.includes(route.id)) return budgets.withTemplates;
  if (name === 'assistants/call-tool') return budgets.withToolCall;
  if (route.id === 'web-calls/create') return budgets.withWebCall;
  if (route.needs.files?.uploads && route.body) return budgets.withForm;
  if (route.needs.secrets) return budgets.withKey;
  if (searchRoutes.includes(route.id)) return budgets.withSearch;
  if (route.needs.files) return budgets.withFiles;
  return route.method === 'GET' ? budgets.reads : budgets.writes;
}

const toKib = (bytes: number) => (bytes / 1024).toFixed(1).padStart(6);

/** Bundle of one entry point. */
interface Bundle {
  entryPoint: string;
  /** Bytes of the files that it loads when it starts. */
  startBytes: number;
  /** Bytes of all its files. */
  bytes: number;
  /** Bytes of each module in its files, by path. */
  modules: Record<string, number>;
  text: string;
}

/** Bundles functions in a temporary folder, and returns the bundles by name. */
async function buildBundles(functions: string[]): Promise<{ bundles: Map<string, Bundle>; metafile: Metafile }> {
  const outdir = mkdtempSync(join(tmpdir(), 'size-'));
  try {
    const metafile = await bundleFunctions(functions, outdir);
    const entries = [...functions.map((name) => `${name}/index.js`), 'ingest/parser.mjs'];
    const bundles = new Map<string, Bundle>();
    for (const entry of entries.map((path) => relative(bundleOptions.absWorkingDir, join(outdir, path)))) {
      const { entryPoint } = metafile.outputs[entry] ?? {};
      if (!entryPoint) continue; // the parser, if it was not asked for
      const files = [...listLoadedFiles(entry, metafile)];
      const startFiles = [...listLoadedFiles(entry, metafile, { atStart: true })];
      const sum = (paths: string[]) => paths.reduce((total, path) => total + (metafile.outputs[path]?.bytes ?? 0), 0);
      const modules = files.flatMap((path) => Object.entries(metafile.outputs[path]?.inputs ?? {}));
      bundles.set(entryPoint.replace(/^functions\/|\.ts$/g, ''), {
        entryPoint,
        startBytes: sum(startFiles),
        bytes: sum(files),
        modules: Object.fromEntries(
          modules.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [[path, bytesInOutput]] : [])),
        ),
        text: files.map((path) => readFileSync(path, 'utf8')).join(''),
      });
    }
    return { bundles, metafile };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/**
 * Prints the size of every function. Throws UserError if one exceeds its budget, or contains another function's route.
 */
async function printSizes(): Promise<void> {
  const problems: string[] = [];
  const { bundles } = await buildBundles([...routes.map(({ id }) => id), ...nonRouteFunctions]);
  console.log(' start  budget     all  modules  function (KiB)');
  for (const [name, { startBytes, bytes, modules, text }] of bundles) {
    const route = routes.find(({ id }) => id === name);
    const budget = getBudget(name, route);
    const count = Object.keys(modules).length;
    const sizes = `${toKib(startBytes)}  ${String(budget).padStart(6)}  ${toKib(bytes)}`;
    console.log(`${sizes}  ${String(count).padStart(7)}  ${name}`);
    if (startBytes > budget * 1024) {
      problems.push(`${name} is over its budget of ${budget} KiB: npm run size -- --why ${name} shows its contents`);
    }
    // A route's summary survives minification, so it shows which routes a bundle contains. The tools have summaries, too.
    const bundledRoutes = routes.filter(({ summary }) => text.includes(summary)).map(({ id }) => id);
    if (name !== 'mcp/serve' && bundledRoutes.join() !== (route?.id ?? '')) {
      problems.push(
        `${name} must contain only its own route, but contains "${bundledRoutes.join(', ')}": is a /* @__PURE__ */ missing?`,
      );
    }
  }
  if (problems.length > 0) throw new UserError(problems.join('\n'));
}

const ownPackage = 'this project';

const toPackageName = (path: string) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? ownPackage;

/** Returns the module that first imports each package, by a breadth-first search from the entry point. */
function findImporters(entryPoint: string, { inputs }: Metafile): Map<string, string> {
  const found = new Map([[ownPackage, '']]);
  const seen = new Set([entryPoint]); // grows while it is iterated
  for (const path of seen) {
    for (const { path: imported, external } of inputs[path]?.imports ?? []) {
      if (external) continue;
      if (!found.has(toPackageName(imported))) found.set(toPackageName(imported), path);
      seen.add(imported);
    }
  }
  return found;
}

/** Prints the contents of one bundle by package, largest first, each with the module that imports it. */
async function printContents(name: string): Promise<void> {
  const functionName = name === parser ? 'ingest' : name;
  if (!nonRouteFunctions.includes(functionName) && !routes.some(({ id }) => id === functionName))
    throw new UserError(`There is no function ${name}`);
  const { bundles, metafile } = await buildBundles([functionName]);
  const { entryPoint = '', modules = {} } = bundles.get(name) ?? {};
  const importers = findImporters(entryPoint, metafile);
  const packages = new Map<string, number>();
  for (const [path, bytes] of Object.entries(modules)) {
    packages.set(toPackageName(path), (packages.get(toPackageName(path)) ?? 0) + bytes);
  }
  console.log('   KiB  package, and the module that imports it');
  for (const [name, bytes] of [...packages].sort(([, a], [, b]) => b - a)) {
    console.log(`${toKib(bytes)}  ${name}  ${importers.get(name)}`.trimEnd());
  }
}

const usage = `Usage: npm run size -- [--why assistants/get]
Compares the bundle sizes with their budgets. --why prints the contents of one bundle.`;

run(async () => {
  const { why } = readArguments(usage, { options: { why: { type: 'string' } } }).values;
  await (why === undefined ? printSizes() : printContents(why));
});
