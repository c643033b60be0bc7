import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import type { Route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';
import { bundleFunctions } from '../bundle/functions.ts';
import { nonRouteFunctions } from '../stacks/non-route-functions.ts';
import { readArguments } from '../terminal/arguments.ts';
import { run, UserError } from '../terminal/user-error.ts';

/** Budgets of the functions' minified files, in KiB. A cold start reads and compiles all of it. */
const budgets = {
  withoutTable: 288, // mostly the DynamoDB client, which runs only for API keys and callers with limits
  reads: 242,
  writes: 257,
  withTemplates: 398, // LiquidJS is a fifth, and runs only for assistants with variables
  withToolCall: 406, // the same, and writes of the table, for its quota
  withKey: 277,
  withFiles: 426,
  withSearch: 440, // stemmers of several languages
  withForm: 510,
  withWebCall: 440, // templates, and LiveKit's tokens
  withAnswer: 515, // keys and search
  withMcp: 610, // half of it is the protocol's library and its schemas, an eighth the tools
  withChat: 653, // all that a call needs: prompts, tools, keys and search
};

/** Routes that search documents, and return passages. */
const searchRoutes = ['knowledge-bases/search', 'search/passages'];

/** Budgets of files without a route, in KiB. */
const otherBudgets: Record<string, number> = {
  fallback: 4,
  intake: 420,
  ingest: 420,
  relay: 250,
  deliver: 450,
  'run-job': 580,
  sweep: 230,
  // All files. PDFs, images and text without a declared encoding load what they need, half of it or more.
  'shared/parser/program': 3_700,
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

/** Document parser, which is split into several files. */
const parser = 'shared/parser/program.ts';

const toKib = (bytes: number) => (bytes / 1024).toFixed(1).padStart(6);

/** Output of esbuild for one entry point, all its files together. */
interface Bundle {
  entryPoint: string;
  bytes: number;
  /** Bytes of each module in the output, by path. */
  modules: Record<string, number>;
  text: string;
}

/** Bundles functions in a temporary folder, and returns the bundles by name. */
async function buildBundles(functions: string[]): Promise<{ bundles: Map<string, Bundle>; metafile: Metafile }> {
  const outdir = mkdtempSync(join(tmpdir(), 'size-'));
  try {
    const metafile = await bundleFunctions(functions, outdir);
    const bundles = new Map<string, Bundle>();
    for (const [file, { bytes, inputs, entryPoint = '' }] of Object.entries(metafile.outputs)) {
      const parts = Object.entries(inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput] as const);
      const modules = Object.fromEntries(parts.filter(([, size]) => size > 0));
      const program = file.endsWith('.mjs') ? parser : entryPoint;
      const name = program.replace(/^functions\/|\.ts$/g, '');
      const soFar = bundles.get(name);
      bundles.set(name, {
        entryPoint: program,
        bytes: bytes + (soFar?.bytes ?? 0),
        modules: { ...soFar?.modules, ...modules },
        text: readFileSync(file, 'utf8') + (soFar?.text ?? ''),
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
  console.log('   KiB  budget  modules  function');
  for (const [name, { bytes, modules, text }] of bundles) {
    const route = routes.find(({ id }) => id === name);
    const budget = getBudget(name, route);
    const count = Object.keys(modules).length;
    console.log(`${toKib(bytes)}  ${String(budget).padStart(6)}  ${String(count).padStart(7)}  ${name}`);
    if (bytes > budget * 1024) {
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

/** Prints the contents of one function by package, largest first, each with the module that imports it. */
async function printContents(name: string): Promise<void> {
  if (!nonRouteFunctions.includes(name) && !routes.some(({ id }) => id === name))
    throw new UserError(`There is no function ${name}`);
  const { bundles, metafile } = await buildBundles([name]);
  for (const { entryPoint, modules } of bundles.values()) {
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
}

const usage = `Usage: npm run size -- [--why assistants/get]
Compares the bundle sizes with their budgets. --why prints the contents of one bundle.`;

run(async () => {
  const { why } = readArguments(usage, { options: { why: { type: 'string' } } }).values;
  await (why === undefined ? printSizes() : printContents(why));
});
