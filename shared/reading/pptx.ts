import { listLeftOutParts, openArchive, type Parts, takePart } from './archive.ts';
import { createLayout } from './layout.ts';
import { type Bounds, limits } from './limits.ts';
import { layOutParagraphs, readRelations, unzipXml } from './ooxml.ts';
import type { Page } from './parse-file.ts';
import { Unreadable } from './unreadable.ts';
import { readXml, toLocalName } from './xml.ts';

/** Returns the names of the slides, in their order in the presentation. */
function listSlides(parts: Parts, presentation: string): string[] {
  const targets = new Map(readRelations(parts, presentation).map(({ id, target }) => [id, target]));
  const slides: string[] = [];
  readXml(parts.get(presentation) ?? new Uint8Array(), {
    open(tag, attributes) {
      if (toLocalName(tag) !== 'sldId') return;
      const [, id = ''] = Object.entries(attributes).find(([name]) => name.endsWith(':id')) ?? [];
      const target = targets.get(id);
      if (target) slides.push(target);
    },
  });
  return slides;
}

/** Types of the other parts with text of a slide, in reading order. */
const textRelations = ['diagramData', 'chart', 'notesSlide', 'comments'];

/** Returns the text of a presentation, a page per slide: its shapes and tables, then diagrams, charts, notes and comments. */
export async function parsePptx(bytes: Uint8Array, bounds: Bounds): Promise<Page[]> {
  const archive = openArchive(bytes);
  const parts = unzipXml(archive);
  const presentation = readRelations(parts, '').find(({ type }) => type === 'officeDocument')?.target;
  if (!presentation) throw new Unreadable('damaged');
  const slides = listSlides(parts, presentation);
  if (slides.length > limits.pages) throw new Unreadable('too_many_pages');
  // A slide that is shown twice is one page.
  const pages = [...new Set(slides)].map((slide, i) => {
    const layout = createLayout(bounds);
    const relations = readRelations(parts, slide);
    const related = textRelations.flatMap((type) => relations.filter((relation) => relation.type === type));
    for (const name of [slide, ...related.map(({ target }) => target)]) {
      const part = takePart(parts, name);
      layout.open('p');
      if (part) layOutParagraphs(part, layout);
      layout.close('p');
    }
    bounds.finishPage();
    return { number: i + 1, text: layout.text() };
  });
  bounds.warnLeftOut(listLeftOutParts(archive.names));
  return pages;
}
