import { unzipSync } from 'fflate';
import { limits } from './limits.ts';
import { Unreadable } from './unreadable.ts';

/** Parts of an archive, by name. */
export type Parts = Map<string, Uint8Array>;

/** A zip archive. */
export interface Archive {
  names: string[];
  /**
   * Unzips the parts with matching names. Throws Unreadable if all that were unzipped are too large: checks their declared sizes first,
   * and unzips nothing beyond them, so that a part with a false size ends up broken.
   */
  unzip(isWanted: (name: string) => boolean): Parts;
}

/** Opens an archive. Throws Unreadable if it has too many entries. Archives in it stay closed. */
export function openArchive(bytes: Uint8Array): Archive {
  const names: string[] = [];
  unzipSync(bytes, {
    filter({ name }) {
      if (names.push(name) > limits.entries) throw new Unreadable('too_complex');
      return false;
    },
  });
  let left = limits.unpackedBytes;
  return {
    names,
    unzip(isWanted) {
      const parts = unzipSync(bytes, {
        filter({ name, size, originalSize }) {
          if (!isWanted(name)) return false;
          left -= Math.max(size, originalSize); // a stored part has its compressed size, whatever it declares
          if (left < 0) {
            throw new Unreadable(
              'too_large',
              'The document is larger than 100 MB when unpacked: split it, then upload its parts',
            );
          }
          return true;
        },
      });
      return new Map(Object.entries(parts));
    },
  };
}

/** Returns a part, but only once: a small file can name a large part many times. */
export function takePart(parts: Parts, name: string): Uint8Array | undefined {
  const part = parts.get(name);
  parts.delete(name);
  return part;
}

/** Kinds of parts that no parser reads, by their names in an archive: one of them, and several. */
const leftOutParts: [path: RegExp, one: string, several: string][] = [
  [/(?:^|\/)(?:media|Pictures)\/[^/]+$/, 'picture', 'pictures'],
  [/\/embeddings\/[^/]+$|^Object [^/]+$/, 'embedded file', 'embedded files'],
  [/\/vbaProject\.bin$|^Basic\/script-lc\.xml$/, 'set of macros', 'sets of macros'],
];

/** Formats the parts of an archive that no parser reads, such as `2 pictures`. */
export function listLeftOutParts(names: string[]): string[] {
  return leftOutParts.flatMap(([path, one, several]) => {
    const count = names.filter((name) => path.test(name)).length;
    return count > 0 ? [`${count} ${count === 1 ? one : several}`] : [];
  });
}
