import type { PDFPageProxy } from 'pdfjs-dist';

/** Parts of pdf.js' data of an annotation that have text. Those of a form field depend on its type. */
interface Annotation {
  subtype?: string;
  contentsObj?: { str?: string };
  /** Lines of its appearance. */
  textContent?: string[];
  fieldValue?: unknown;
  alternativeText?: string;
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string;
  buttonValue?: string;
  password?: boolean;
}

/** Kinds of annotations whose text is that of another, or an address. */
const silentTypes = ['Popup', 'Link'];

/** Returns the value of a form field. That of a box or radio button is its own if it is chosen. */
function getFieldText({
  checkBox,
  radioButton,
  fieldValue,
  exportValue,
  buttonValue,
  textContent,
  password,
}: Annotation) {
  if (password) return '';
  if (checkBox || radioButton) {
    const own = checkBox ? exportValue : buttonValue;
    return own && own === fieldValue ? own : '';
  }
  const value = [fieldValue].flat().filter((part) => typeof part === 'string');
  return value.join('\n').trim() || (textContent ?? []).join('\n');
}

function getText(annotation: Annotation): string {
  const { subtype = '', textContent = [], contentsObj, alternativeText } = annotation;
  if (silentTypes.includes(subtype)) return '';
  if (subtype !== 'Widget') return textContent.join('\n').trim() || (contentsObj?.str ?? '');
  const value = getFieldText(annotation).trim();
  return value && alternativeText ? `${alternativeText}: ${value}` : value;
}

/** Returns the notes of a page and the values of its form fields, with their labels. */
export async function readAnnotations(page: PDFPageProxy): Promise<string[]> {
  const annotations: Annotation[] = await page.getAnnotations();
  return annotations.map(getText).filter((text) => text.trim() !== '');
}

/** Element of a form in XFA, as pdf.js turns it into HTML. */
interface XfaElement {
  name: string;
  value?: string;
  attributes?: { textContent?: string; value?: string; type?: string };
  children?: (XfaElement | null)[];
}

function* listXfaText({ name, value, attributes, children = [] }: XfaElement): Generator<string> {
  const isBox = attributes?.type === 'checkbox' || attributes?.type === 'radio' || attributes?.type === 'password';
  const text = value ?? attributes?.textContent ?? (name === 'input' && !isBox ? attributes?.value : undefined);
  if (text) yield text;
  for (const child of children) if (child) yield* listXfaText(child);
}

/** Returns the text of a page of a form that consists of XFA only; undefined for any other page. */
export async function readXfa(page: PDFPageProxy): Promise<string | undefined> {
  const root = (page.isPureXfa ? await page.getXfa() : null) as XfaElement | null;
  return root ? [...listXfaText(root)].join('\n') : undefined;
}
