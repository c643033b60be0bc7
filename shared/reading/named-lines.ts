import { type Bounds, limits } from './limits.ts';

/** Adds a line. Returns false once the text is too large. */
type AddLine = (line: string) => boolean;

/** Returns the lines that `write` adds; undefined once they are larger than a text may be. */
function joinLines(write: (add: AddLine) => void): string | undefined {
  const lines: string[] = [];
  let left = limits.textBytes;
  write((line) => {
    left -= Buffer.byteLength(line) + 1;
    if (left >= 0) lines.push(line);
    return left >= 0;
  });
  return left < 0 ? undefined : lines.join('\n');
}

/**
 * Returns the lines that `write` adds, each with the names of its values. If names that repeat make the text too large, it has them
 * only where the file has them, and a warning. `write` must stop when `add` returns false.
 */
export function writeNamedLines(write: (repeatsNames: boolean, add: AddLine) => void, bounds: Bounds): string {
  const named = joinLines((add) => write(true, add));
  if (named !== undefined) return bounds.limitText(named);
  bounds.reportProgress();
  const advice = 'if searches need them, split the file, then upload its parts';
  bounds.warn(
    'names_left_out',
    `With a name before each value, the text would be too large, so most have none: ${advice}`,
  );
  const lines: string[] = [];
  write(false, (line) => lines.push(bounds.limitText(`${line}\n`)) > 0);
  return lines.join('').trimEnd();
}
