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

/** Decodes an address. One that is not encoded stays as it is, such as `100%.xhtml`. */
function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** Media types of pictures and others that a book may have in place of chapters. */
const unreadType = /^(?:image|audio|video|font)\//;

/** Returns the names of the chapters, in reading order. Pictures between them are none. */
function listChapters(archive: Archive): Set<string> {
  const path = findPackage(archive);
  const chapters = new Set<string>();
  const documents = new Map<string, string>();
  readXml(unzipOne(archive, path), {
    open(tag, { id = '', href = '', idref = '', 'media-type': type = '' }) {
      const name = toLocalName(tag);
      if (name === 'item' && !unreadType.test(type)) {
        documents.set(id, posix.join(posix.dirname(path), decodeAddress(href)));
      }
      const chapter = documents.get(idref);
      if (name === 'itemref' && chapter) chapters.add(chapter);
    },
  });
  return chapters;
}

/** Throws Unreadable if a chapter is encrypted, as in books with copy protection. Fonts often are. */
function checkProtection(archive: Archive, chapters: ReadonlySet<string>): void {
  const name = 'META-INF/encryption.xml';
  if (!archive.names.includes(name)) return;
  readXml(unzipOne(archive, name), {
    open(tag, { URI = '' }) {
      if (toLocalName(tag) === 'CipherReference' && chapters.has(decodeAddress(URI))) {
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
  const parts = archive.unzip((name) => chapters.has(name));
  const missing = chapters.size - parts.size;
  if (missing > 0) {
    const what = missing === 1 ? '1 chapter is' : `${missing} chapters are`;
    bounds.warn('parts_left_out', `${what} missing in the file: get it again from its source, then upload it`);
  }
  const texts = [...chapters]
    .flatMap((name) => parts.get(name) ?? [])
    .map((part) => {
      const text = decodeCertain(part);
      if (text === undefined) throw new Unreadable('damaged');
      return parseHtml(text, bounds, true);
    });
  return texts.filter(Boolean).join('\n\n');
}
