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

/** What is left out of HTML that mammoth makes: the way back from a note. */
const wayBack = /<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g;

/** The text of a Word document: paragraphs, headings, lists, tables, and at the end its notes. */
export async function textOfDocx(bytes: Uint8Array, bounds: Bounds): Promise<string> {
  // Packed anew, so that what mammoth unpacks is what was measured; two readers of one zip may see two files.
  const checked = Buffer.from(zipSync(partsOf(bytes), { level: 0 }));
  bounds.tick();
  const { value } = await mammoth.convertToHtml(
    { buffer: checked },
    { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
  );
  return textOfHtml(value.replace(wayBack, ''), bounds);
}
