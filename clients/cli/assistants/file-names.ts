import type { Format } from './format.ts';

/** Returns an unused file name for an assistant. Compares without case, as some file systems do. */
export function chooseFileName(name: string, format: Format, taken: readonly string[]): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
    .replace(/-$/, '');
  const isTaken = (file: string) => taken.some((one) => one.replace(/\.\w+$/, '').toLowerCase() === file);
  const base = words || 'assistant';
  let file = base;
  for (let number = 2; isTaken(file); number++) file = `${base}-${number}`;
  return `${file}.${format}`;
}
