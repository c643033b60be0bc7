import { type Counters, findChosenName } from '../../domain/usage.ts';
import { type DayUsage, limitRows, type Period, type ReadTotal } from '../../domain/usage-report.ts';
import { parseUsageKey, toUsageKeys, toUsageRange } from '../table/keys.ts';
import { query, type Row } from '../table/table.ts';
import type { Write } from '../table/writes.ts';

/** Call to count the usage of. */
export interface CountedCall {
  session_id: string;
  assistant_id: string;
  assistant_name: string | null;
  /** Version of the assistant, 0 if it has none. */
  version: number;
}

/** Number of models and end reasons that a row holds before it takes no new ones. Clients choose them, and a row holds 400 KB. */
const maxChosenNames = 40;

/**
 * Builds the writes that add counters to the usage of a call's day: of all calls, and of the assistant's version. They fail with
 * `toFullError` if a row has no room for more models and end reasons than those that it knows.
 */
export function buildUsageWrites(
  owner: string,
  call: CountedCall,
  counters: Counters,
  toFullError: (known: ReadonlySet<string>) => Error,
): Write[] {
  const names = Object.keys(counters);
  if (names.length === 0) return [];
  const chosen = [...new Set(names.map(findChosenName).filter((name) => name !== undefined))];
  const isKnown = chosen.map((_, index) => `contains(chosen, :chosen${index})`).join(' AND ');
  const added = [...names.map((_, index) => `#c${index} :c${index}`), ...(chosen.length > 0 ? ['chosen :chosen'] : [])];
  const limit = chosen.length > 0 && {
    ConditionExpression: `attribute_not_exists(chosen) OR size(chosen) < :max OR (${isKnown})`,
  };
  const values = {
    ...Object.fromEntries(names.map((name, index) => [`:c${index}`, counters[name]])),
    ...(chosen.length > 0 && { ':chosen': new Set(chosen), ':max': maxChosenNames }),
    ...Object.fromEntries(chosen.map((name, index) => [`:chosen${index}`, name])),
  };
  const [day, version] = toUsageKeys(owner, call);
  const update = {
    ...limit,
    UpdateExpression: `ADD ${added.join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#c${index}`, name])),
    ExpressionAttributeValues: values,
  };
  const named = call.assistant_name !== null && {
    UpdateExpression: `${update.UpdateExpression} SET assistant_name = :name`,
    ExpressionAttributeValues: { ...values, ':name': call.assistant_name },
  };
  const toError = (stored: Row | undefined) => toFullError((stored?.chosen ?? new Set()) as ReadonlySet<string>);
  return [
    { Update: { Key: day, ...update }, toError },
    { Update: { Key: version, ...update, ...named }, toError },
  ];
}

/** Converts a row to the usage of a day. All its other attributes are counters. */
function toDayUsage({ pk: _, sk, chosen: __, assistant_name, ...rest }: Row): DayUsage {
  const name = typeof assistant_name === 'string' && { assistant_name };
  const counters = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, Number(value)]));
  return { ...parseUsageKey(String(sk)), ...name, counters };
}

/**
 * Lists the usage of each day of a period, by assistant and version if asked. A day has up to four rows of each. One round trip per
 * megabyte: a quarter of days is at most 368 rows. Throws Invalid if the rows are too large for a report,
 * together with what `read` says of its other parts.
 */
export async function* list(
  owner: string,
  period: Period,
  { isByAssistant, assistant_id }: { isByAssistant: boolean; assistant_id?: string | undefined },
  read: ReadTotal,
): AsyncGenerator<DayUsage> {
  if (period.from > period.to) return;
  const rows = query({ ...toUsageRange(owner, period, isByAssistant), ascending: true });
  for await (const row of limitRows(rows, read)) {
    const usage = toDayUsage(row);
    if (assistant_id === undefined || usage.assistant_id === assistant_id) yield usage;
  }
}
