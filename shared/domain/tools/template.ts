import type { Context, FilterImplOptions, Liquid, Operators } from 'liquidjs';
import { DateTimeFormat, getDateFormatter } from './date-formatter.ts';
import { isTimeout, runBounded, type TimeBudget } from './run-bounded.ts';
import type { Scope } from './scope.ts';

/** Fault of a template and its position. Lines and columns start at 1. */
export class TemplateError extends Error {
  readonly line: number;
  readonly column: number;
  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** Writes a value as JSON. LiquidJS's own filters charge the template for neither indentation nor names, which can take 500 MB. */
function writeJson(this: { context: Context }, value: unknown): string | undefined {
  return JSON.stringify(value, (name, inner) => {
    this.context.memoryLimit.use(name.length + (typeof inner === 'string' ? inner.length : 10));
    return inner;
  });
}

/** Filters that search for a text in another. */
const searchFilters = ['split', 'replace', 'replace_first', 'replace_last', 'remove', 'remove_first', 'remove_last'];

/** Maximum characters of a text to search for. V8 may compare all of a longer one with all of the other text, and cannot be interrupted. */
const maxSearchLength = 250;

type Operator = Extract<Operators[string], (text: unknown, part: unknown, context: Context) => unknown>;
type Filter = Extract<FilterImplOptions, (text: unknown, part: unknown) => unknown>;

/** Returns a filter or operator that throws Error if the text to search for is too long, unless the other text is shorter. */
function limitSearch<T extends Operator | Filter>(search: T): T {
  return function (this: unknown, text: unknown, part: unknown, ...others: unknown[]) {
    const length = String(part).length;
    if (length > maxSearchLength && !(typeof text === 'string' && text.length < length))
      throw new Error(`a text to search for may have at most ${maxSearchLength} characters`);
    return (search as (...given: unknown[]) => unknown).call(this, text, part, ...others);
  } as T;
}

/** Charges a template for all texts of a value. LiquidJS charges lists by their number of elements only, and captured texts not at all. */
function charge(context: Context, value: unknown): void {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) charge(context, inner);
  context.memoryLimit.use(typeof value === 'string' ? value.length : 1);
}

/** Filters that make a list longer. */
const listFilters = ['concat', 'push', 'unshift'];

/** Returns a filter that charges the template for the texts that it adds to a list. */
const chargeAdded = (filter: Filter): Filter =>
  function (list, added) {
    charge(this.context, added);
    return filter.call(this, list, added);
  };

/** Returns a filter that charges the template for the length of its result. LiquidJS's own charges can be evaded, as with texts for numbers. */
const chargeResult = (filter: Filter): Filter =>
  function* (...given) {
    const result: unknown = yield filter.apply(this, given);
    this.context.memoryLimit.use((result as ArrayLike<unknown> | undefined | null)?.length ?? 0);
    return result;
  };

/** Maximum dates in a named time zone that the texts of a request write. Each takes two formatters, which LiquidJS cannot share. */
const maxZonedDates = 20;

/** Dates in a named time zone that texts with the same scope have written. */
const zonedDates = new WeakMap<object, number>();

/** Returns the filter `date`, which throws Error beyond twenty dates in named time zones. */
const limitZonedDates = (filter: Filter): Filter =>
  function (value, format, zone) {
    const { environments } = this.context;
    const zoned = (zonedDates.get(environments) ?? 0) + (typeof zone === 'string' ? 1 : 0);
    if (zoned > maxZonedDates)
      throw new Error(
        `at most ${maxZonedDates} dates may name a time zone: give others an offset in minutes, such as -60 for UTC+1`,
      );
    zonedDates.set(environments, zoned);
    return filter.call(this, value, format, zone);
  };

let engine: Liquid | undefined;

/**
 * Loads LiquidJS, which only assistants with variables need. A template has at most 250,000 characters and takes 5 MB. It
 * reads no files, and of values only their own properties.
 */
async function loadEngine(): Promise<Liquid> {
  if (engine) return engine;
  const { CaptureTag, Liquid, defaultOperators } = await import('liquidjs');
  const contains = defaultOperators.contains as Operator;
  const containsText = limitSearch(contains);
  const liquid = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: 250_000,
    memoryLimit: 5_000_000,
    templates: Object.create(null), // none, instead of files
    operators: {
      ...defaultOperators,
      contains: (text, part, context) => (Array.isArray(text) ? contains : containsText)(text, part, context),
    },
  });
  for (const name of ['json', 'jsonify', 'inspect']) liquid.registerFilter(name, writeJson);
  for (const name of searchFilters) liquid.registerFilter(name, limitSearch(liquid.filters[name] as Filter));
  for (const name of listFilters) liquid.registerFilter(name, chargeAdded(liquid.filters[name] as Filter));
  liquid.registerFilter('date', limitZonedDates(liquid.filters.date as Filter));
  for (const [name, filter] of Object.entries(liquid.filters))
    if (typeof filter === 'function') liquid.registerFilter(name, chargeResult(filter));
  class ChargedCapture extends CaptureTag {
    override *render(context: Context): Generator<unknown, void, string> {
      yield* super.render(context);
      charge(context, context.bottom()[this.variable]);
    }
  }
  liquid.registerTag('capture', ChargedCapture);
  engine = liquid;
  return engine;
}

/** Time and characters that are left for all templates of a request together. */
export interface TemplateBudget extends TimeBudget {
  characters: number;
}

export const createTemplateBudget = (): TemplateBudget => ({ ms: 1_000, characters: 500_000 });

/** True if a text has marks of a template. */
export const mayBeTemplate = (text: string): boolean => /\{[{%]/.test(text);

interface LiquidFailure extends Error {
  token?: { getPosition(): [line: number, column: number] };
}

/** Converts an error of LiquidJS. Its messages repeat the place and parts of the text. */
function toTemplateError(error: unknown): TemplateError {
  const { message, token } = error as LiquidFailure;
  if (isTimeout(error)) return new TemplateError('it takes too long', 1, 1);
  const [line, column] = token?.getPosition() ?? [1, 1];
  const said = message.replace(/, (?:line|file):.*$/s, '');
  return new TemplateError(
    said.startsWith('ENOENT') ? 'other templates cannot be included' : said.slice(0, 200),
    line,
    column,
  );
}

/** Returns the names of the variables that a template reads, without those that it sets itself. Throws TemplateError. */
export async function listVariables(text: string, budget = createTemplateBudget()): Promise<string[]> {
  if (!mayBeTemplate(text)) return [];
  const liquid = await loadEngine();
  try {
    const names = runBounded(budget, () =>
      liquid.globalVariableSegmentsSync(liquid.parse(text)).map((path) => path.join('.').toWellFormed()),
    );
    return [...new Set(names)];
  } catch (error) {
    throw toTemplateError(error);
  }
}

/** Fills in a template. Values are inserted as text and never rendered again. Throws TemplateError. */
export async function render(text: string, scope: Scope, budget = createTemplateBudget()): Promise<string> {
  if (!mayBeTemplate(text)) return text;
  const liquid = await loadEngine();
  let rendered: string;
  try {
    Intl.DateTimeFormat = getDateFormatter as typeof DateTimeFormat; // LiquidJS makes a formatter for each name of a day or month
    rendered = String(runBounded(budget, () => liquid.parseAndRenderSync(text, scope)));
  } catch (error) {
    throw toTemplateError(error);
  } finally {
    Intl.DateTimeFormat = DateTimeFormat; // here, since a time-out skips what filters do in the end
  }
  budget.characters -= rendered.length;
  if (budget.characters < 0) throw new TemplateError('the texts get longer than 500,000 characters', 1, 1);
  return rendered.toWellFormed();
}
