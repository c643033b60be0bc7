import type { Series } from '../api/types.ts';

/** Formats a value for CSV. A text that a spreadsheet would take for a formula gets an apostrophe. */
function toCell(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats usage by day as CSV. `getName` returns the name of an assistant, which others may have too. */
export function toCsv(series: Series, getName: (id: string) => string, currency: string): string {
  const head = [
    ...['day', 'assistant_id', 'assistant', 'calls', 'minutes', 'messages', 'tool_calls', 'p50_ms', 'p95_ms', 'cost'],
    'currency',
  ];
  const rows = series.map(({ interval, key, calls, minutes, messages, tool_calls, latency, cost }) => [
    interval,
    key,
    key === null ? null : getName(key),
    calls,
    minutes,
    messages,
    tool_calls,
    latency.e2e?.p50 ?? null,
    latency.e2e?.p95 ?? null,
    cost,
    currency,
  ]);
  return [head, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
}

/** Saves usage by day as a file. */
export function downloadCsv(series: Series, getName: (id: string) => string, currency: string): void {
  const url = URL.createObjectURL(new Blob([toCsv(series, getName, currency)], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: url, download: 'usage.csv' }).click();
  URL.revokeObjectURL(url);
}
