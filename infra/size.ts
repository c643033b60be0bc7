import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Metafile } from 'esbuild';
import type { Route } from '../shared/route.ts';
import { routes } from '../shared/routes/index.ts';
import { bundle } from './bundle.ts';
import { noRoutes } from './no-routes.ts';
import { Problem, run } from './problem.ts';

/** What a function's minified file may weigh, in KiB: a cold start reads and compiles all of it. */
const budgets = {
  withoutTable: 280, // nearly all of it the database's client, which only the first API key runs
  reads: 230,
  writes: 245,
  withKey: 265,
  withFiles: 415,
  withForm: 515,
};

/** Budgets of files that belong to no route, in KiB. */
const otherBudgets: Record<string, number> = {
  fallback: 4,
  intake: 420,
  ingest: 420,
  'shared/parser/program': 2_600, // all of its files: pdf.js and Tesseract are loaded for documents that need them
};

function budgetOf(name: string, route: Route | undefined): number {
  if (!route) return otherBudgets[name] ?? 0;
  if (!route.needs.rows) return budgets.withoutTable;
  if (route.needs.files?.uploads && route.body) return budgets.withForm;
  if (route.needs.key) return budgets.withKey;
  if (route.needs.files) return budgets.withFiles;
  return route.method === 'GET' ? budgets.reads : budgets.writes;
}

/** The parser of documents, which has several files. */
const parser = 'shared/parser/program.ts';

const kib = (bytes: number) => (bytes / 1024).toFixed(1).padStart(6);

/** esbuild's account of a program and its files. */
interface Bundle {
  entryPoint: string;
  bytes: number;
  /** Bytes that each module, by its path, has in the files. */
  modules: Record<string, number>;
  text: string;
}

/** The bundles of functions, built into a folder of their own that is gone afterwards. */
async function bundlesOf(functions: string[]): Promise<{ bundles: Map<string, Bundle>; metafile: Metafile }> {
  const outdir = mkdtempSync(join(tmpdir(), 'size-'));
  try {
    const metafile = await bundle(functions, outdir);
    const bundles = new Map<string, Bundle>();
    for (const [file, { bytes, inputs, entryPoint = '' }] of Object.entries(metafile.outputs)) {
      const parts = Object.entries(inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput] as const);
      const modules = Object.fromEntries(parts.filter(([, size]) => size > 0));
      const program = file.endsWith('.mjs') ? parser : entryPoint;
      const name = program.replace(/^functions\/|\.ts$/g, '');
      const before = bundles.get(name);
      bundles.set(name, {
        entryPoint: program,
        bytes: bytes + (before?.bytes ?? 0),
        modules: { ...before?.modules, ...modules },
        text: readFileSync(file, 'utf8') + (before?.text ?? ''),
      });
    }
    return { bundles, metafile };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** Prints the weight of every function. Throws Problem where one is over its budget, or carries another's route. */
async function weigh(): Promise<void> {
  const problems: string[] = [];
  const { bundles } = await bundlesOf([...routes.map(({ id }) => id), ...noRoutes]);
  console.log('   KiB  budget  modules  function');
  for (const [name, { bytes, modules, text }] of bundles) {
    const route = routes.find(({ id }) => id === name);
    const budget = budgetOf(name, route);
    const count = Object.keys(modules).length;
    console.log(`${kib(bytes)}  ${String(budget).padStart(6)}  ${String(count).padStart(7)}  ${name}`);
    if (bytes > budget * 1024) {
      problems.push(`${name} is over its budget of ${budget} KiB: npm run size -- --why ${name} shows what is in it`);
    }
    // A route is found by its summary, a text that minifying leaves as it is.
    const carried = routes.filter(({ summary }) => text.includes(summary)).map(({ id }) => id);
    if (carried.join() !== (route?.id ?? '')) {
      problems.push(
        `${name} should carry no route but its own, and carries "${carried.join(', ')}": is a PURE missing?`,
      );
    }
  }
  if (problems.length > 0) throw new Problem(problems.join('\n'));
}

const own = 'this project';

const packageOf = (path: string) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? own;

/** The module that first brings in each package, going breadth first from the function itself. */
function importers(entryPoint: string, { inputs }: Metafile): Map<string, string> {
  const found = new Map([[own, '']]);
  const seen = new Set([entryPoint]); // walked while it grows
  for (const path of seen) {
    for (const { path: imported, external } of inputs[path]?.imports ?? []) {
      if (external) continue;
      if (!found.has(packageOf(imported))) found.set(packageOf(imported), path);
      seen.add(imported);
    }
  }
  return found;
}

/** Prints what is in one function, by package, largest first, and which module brought it in. */
async function explain(name: string): Promise<void> {
  if (!noRoutes.includes(name) && !routes.some(({ id }) => id === name))
    throw new Problem(`No function is called ${name}`);
  const { bundles, metafile } = await bundlesOf([name]);
  for (const { entryPoint, modules } of bundles.values()) {
    const firsts = importers(entryPoint, metafile);
    const packages = new Map<string, number>();
    for (const [path, bytes] of Object.entries(modules)) {
      packages.set(packageOf(path), (packages.get(packageOf(path)) ?? 0) + bytes);
    }
    console.log('   KiB  package, and what brought it in');
    for (const [name, bytes] of [...packages].sort(([, a], [, b]) => b - a)) {
      console.log(`${kib(bytes)}  ${name}  ${firsts.get(name)}`.trimEnd());
    }
  }
}

run(async () => {
  const { why } = parseArgs({ options: { why: { type: 'string' } } }).values;
  await (why === undefined ? weigh() : explain(why));
});
