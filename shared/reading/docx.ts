import { type Unzipped, unzipSync, zipSync } from 'fflate';
import mammoth from 'mammoth';
import { type Bounds, limits } from './bounds.ts';
import { textOfHtml } from './html.ts';
import { Unreadable } from './unreadable.ts';

/**
 * The parts of a DOCX that hold text. Their sizes are as declared, which is checked before anything is unpacked; what
 * a part has beyond its declared size is not unpacked, and breaks it.
 */
function partsOf(bytes: Uint8Array): Unzipped {
  let total = 0;
  return unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!/\.(?:xml|rels)$/i.test(name)) return false;
      total += originalSize;
      if (total > limits.unpacked) {
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

/** Throws Unreadable where there are more elements than fit in memory. */
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

/** What is left out of HTML that mammoth makes: the way back from a note. */
const wayBack = /<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g;

/** The text of a Word document: paragraphs, headings, lists, tables, and at the end its notes. */
export async function textOfDocx(bytes: Uint8Array, bounds: Bounds): Promise<string> {
  const parts = partsOf(bytes);
  checkElements(parts);
  // Packed anew, so that what mammoth unpacks is what was measured; two readers of one zip may see two files.
  const checked = Buffer.from(zipSync(parts, { level: 0 }));
  const { value } = await mammoth.convertToHtml(
    { buffer: checked },
    { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
  );
  return textOfHtml(value.replace(wayBack, ''), bounds);
}
