/** Canonical media types of the supported kinds of files. */
export const mediaTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  rtf: 'application/rtf',
  epub: 'application/epub+zip',
  eml: 'message/rfc822',
  txt: 'text/plain',
  markdown: 'text/markdown',
  html: 'text/html',
  csv: 'text/csv',
  json: 'application/json',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  tiff: 'image/tiff',
  gif: 'image/gif',
  bmp: 'image/bmp',
  jp2: 'image/jp2',
} as const;

export type KindName = keyof typeof mediaTypes;

const kindNames = Object.keys(mediaTypes) as KindName[];

/** File extensions of each kind, in lower case. Templates and files with macros are read as the documents that they are. */
const extensions: Record<KindName, readonly string[]> = {
  pdf: ['pdf'],
  docx: ['docx', 'docm', 'dotx', 'dotm'],
  pptx: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
  xlsx: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  odt: ['odt', 'ott'],
  ods: ['ods', 'ots'],
  odp: ['odp', 'otp'],
  rtf: ['rtf'],
  epub: ['epub'],
  eml: ['eml'],
  txt: ['txt', 'text'],
  markdown: ['md', 'markdown'],
  html: ['html', 'htm', 'xhtml'],
  csv: ['csv', 'tsv'],
  json: ['json'],
  png: ['png'],
  jpeg: ['jpeg', 'jpg'],
  webp: ['webp'],
  tiff: ['tiff', 'tif'],
  gif: ['gif'],
  bmp: ['bmp'],
  jp2: ['jp2'],
};

/** Other media types of each kind: of templates and files with macros, and unofficial names. */
const variants: [mediaType: RegExp, kind: KindName][] = [
  [/wordprocessingml|ms-word\./, 'docx'],
  [/presentationml|ms-powerpoint\./, 'pptx'],
  [/spreadsheetml|ms-excel\./, 'xlsx'],
  [/opendocument\.text/, 'odt'],
  [/opendocument\.spreadsheet/, 'ods'],
  [/opendocument\.presentation/, 'odp'],
  [/^text\/rtf$/, 'rtf'],
  [/^text\/x-markdown$/, 'markdown'],
  [/^application\/xhtml\+xml$/, 'html'],
  [/^text\/tab-separated-values$/, 'csv'],
  [/^text\/json$/, 'json'],
  [/^image\/p?jpe?g$/, 'jpeg'],
  [/^image\/x-png$/, 'png'],
  [/^image\/x-(?:ms-)?bmp$/, 'bmp'],
  [/^image\/(?:jpx|j2c)$/, 'jp2'],
];

const textKinds: readonly KindName[] = ['txt', 'markdown', 'html', 'csv', 'json', 'eml'];

/** Returns true for a kind of text. Bytes do not tell these kinds apart. */
export const isTextKind = (kind: KindName): boolean => textKinds.includes(kind);

/** True if files of a kind are all text. E-mails carry other files. */
export const isPlainText = (kind: KindName): boolean => isTextKind(kind) && kind !== 'eml';

/** Returns all file extensions of the supported kinds. */
export const listExtensions = (): string[] => Object.values(extensions).flat();

/** Returns the kind of a file by its name; undefined if its extension is not known. */
export function findKindByName(fileName: string): KindName | undefined {
  const extension = /\.(\w+)$/.exec(fileName.trim())?.[1]?.toLowerCase() ?? '';
  return kindNames.find((kind) => extensions[kind].includes(extension));
}

/** Returns the kind of a file by its media type, which may have parameters; undefined if the type is not known. */
export function findKindByMediaType(mediaType: string): KindName | undefined {
  const type = mediaType.split(';', 1).join().trim().toLowerCase();
  return kindNames.find((kind) => mediaTypes[kind] === type) ?? variants.find(([pattern]) => pattern.test(type))?.[1];
}
