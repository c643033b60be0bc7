import { posix } from 'node:path';
import { type Archive, openArchive } from './archive.ts';
import { decodeCertain } from './encoding.ts';
import { parseHtml } from './html.ts';
import type { Bounds } from './limits.ts';
import { Unreadable } from './unreadable.ts';
import { readXml, toLocalName } from './xml.ts';

function unzipOne(archive: Archive, name: string): Uint8Array {
  const part = archive.unzip((one) => one === name).get(name);
  if (!part) throw new Unreadable('damaged');
  return part;
}

/** Returns the name of the package document, which lists all others. */
function findPackage(archive: Archive): string {
  let path = '';
  readXml(unzipOne(archive, 'META-INF/container.xml'), {
    open(tag, attributes) {
      if (toLocalName(tag) === 'rootfile') path ||= attributes['full-path'] ?? '';
    },
  });
  return path;
}

/** Returns the names of the chapters, in reading order. */
function listChapters(archive: Archive): string[] {
  const path = findPackage(archive);
  const chapters: string[] = [];
  const documents = new Map<string, string>();
  readXml(unzipOne(archive, path), {
    open(tag, { id = '', href = '', idref = '' }) {
      const name = toLocalName(tag);
      if (name === 'item') documents.set(id, posix.join(posix.dirname(path), decodeURIComponent(href)));
      const chapter = documents.get(idref);
      if (name === 'itemref' && chapter) chapters.push(chapter);
    },
  });
  return [...new Set(chapters)];
}

/** Throws Unreadable if a chapter is encrypted, as in books with copy protection. Fonts often are. */
function checkProtection(archive: Archive, chapters: string[]): void {
  const name = 'META-INF/encryption.xml';
  if (!archive.names.includes(name)) return;
  readXml(unzipOne(archive, name), {
    open(tag, { URI = '' }) {
      if (toLocalName(tag) === 'CipherReference' && chapters.includes(decodeURIComponent(URI))) {
        throw new Unreadable('encrypted', 'The book is protected against copies: upload one without protection');
      }
    },
  });
}

/** Returns the text of a book, chapter by chapter. */
export function parseEpub(bytes: Uint8Array, bounds: Bounds): string {
  const archive = openArchive(bytes);
  const chapters = listChapters(archive);
  checkProtection(archive, chapters);
  const wanted = new Set(chapters);
  const parts = archive.unzip((name) => wanted.has(name));
  const texts = chapters.map((name) => {
    const text = decodeCertain(parts.get(name) ?? new Uint8Array());
    if (text === undefined) throw new Unreadable('damaged');
    return parseHtml(text, bounds, true);
  });
  return texts.filter(Boolean).join('\n\n');
}
