import { type Unzipped, unzipSync, zipSync } from 'fflate';
import mammoth from 'mammoth';
import { parseHtml } from './html.ts';
import { type Bounds, limits } from './limits.ts';
import { Unreadable } from './unreadable.ts';

/**
 * Unzips the parts of a DOCX that contain text. Checks their declared sizes first. Nothing beyond a part's declared size is unzipped,
 * so a part with a false size ends up broken.
 */
function unzipTextParts(bytes: Uint8Array): Unzipped {
  let total = 0;
  return unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!/\.(?:xml|rels)$/i.test(name)) return false;
      total += originalSize;
      if (total > limits.unpackedBytes) {
        throw new Unreadable(
          'too_large',
          'The document is larger than 100 MB when unpacked: split it, then upload its parts',
        );
      }
      return true;
    },
  });
}

const [opening = 0, slash] = Buffer.from('</');

/** Throws Unreadable if there are more elements than fit in memory. */
function checkElements(parts: Unzipped): void {
  let left = limits.elements;
  for (const part of Object.values(parts)) {
    for (let at = part.indexOf(opening); at >= 0; at = part.indexOf(opening, at + 1)) {
      if (part[at + 1] !== slash) left -= 1;
      if (left < 0) {
        throw new Unreadable(
          'too_large',
          'The document has more than 500,000 elements: split it, then upload its parts',
        );
      }
    }
  }
}

/** Back link of a note in mammoth's HTML. */
const noteBackLink = /<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g;

/** Returns the text of a Word document: paragraphs, headings, lists, tables, and the notes at the end. */
export async function parseDocx(bytes: Uint8Array, bounds: Bounds): Promise<string> {
  const parts = unzipTextParts(bytes);
  checkElements(parts);
  // Zipped again, so that mammoth unzips exactly what was checked. Two unzip libraries may see different files in one archive.
  const checked = Buffer.from(zipSync(parts, { level: 0 }));
  const { value } = await mammoth.convertToHtml(
    { buffer: checked },
    { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
  );
  return parseHtml(value.replace(noteBackLink, ''), bounds);
}
