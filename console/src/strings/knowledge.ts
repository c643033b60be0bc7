/** Names of document types, by media type. */
const kinds: Record<string, string> = {
  'application/pdf': 'PDF',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'Slides (PowerPoint)',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Spreadsheet (Excel)',
  'application/vnd.oasis.opendocument.text': 'Text (ODT)',
  'application/vnd.oasis.opendocument.spreadsheet': 'Spreadsheet (ODS)',
  'application/vnd.oasis.opendocument.presentation': 'Slides (ODP)',
  'application/rtf': 'Text (RTF)',
  'application/epub+zip': 'Book (EPUB)',
  'message/rfc822': 'E-mail',
  'text/plain': 'Text',
  'text/markdown': 'Markdown',
  'text/html': 'Web page',
  'text/csv': 'Table (CSV)',
  'application/json': 'JSON',
  'image/png': 'Picture (PNG)',
  'image/jpeg': 'Picture (JPEG)',
  'image/webp': 'Picture (WebP)',
  'image/tiff': 'Picture (TIFF)',
  'image/gif': 'Picture (GIF)',
  'image/bmp': 'Picture (BMP)',
  'image/jp2': 'Picture (JPEG 2000)',
};

const readable =
  'PDF, Word (DOCX), PowerPoint (PPTX), Excel (XLSX), OpenDocument (ODT, ODS, ODP), RTF, EPUB, e-mails (EML), text, Markdown, ' +
  'HTML, CSV, JSON and pictures (PNG, JPEG, WebP, TIFF, GIF, BMP, JPEG 2000)';

/** Texts of the knowledge bases' pages. */
export const knowledge = {
  title: 'Knowledge',
  one: 'Knowledge base',
  description: 'Documents that your assistants look things up in while they talk.',
  list: 'Your knowledge bases, newest first',
  column: { name: 'Name', kind: 'Kind', size: 'Size', status: 'Status', passages: 'Passages', created: 'Added' },
  formatKind: (mediaType: string) => kinds[mediaType] ?? mediaType,
  status: { processing: 'Reading', ready: 'Ready', failed: 'Failed' },
  noneTitle: 'No documents yet',
  none: 'Drop a price list, a handbook or a scan above. It is read within seconds; then attach it to an assistant.',

  // Uploading
  choose: 'Choose files',
  drop: 'Drop documents here',
  dropNow: 'Drop to upload',
  dropHint: (largest: string, largestText: string) =>
    `${readable}, up to ${largest} each; text, Markdown, HTML, CSV and JSON up to ${largestText}`,
  chooseLanguages: 'Language of scans…',
  languages: 'Languages of scans and pictures',
  languagesHint: 'Choose them before you upload if the text is hard to read. Other documents need none.',
  languagesDetected: 'Detected',
  uploads: 'Uploads',
  waiting: 'Waiting',
  sent: (percent: number, size: string) => `${percent}% of ${size}`,
  finishing: 'Uploaded. Processing …',
  sending: (name: string) => `Sending ${name}`,
  uploaded: (name: string) => `Uploaded: ${name}`,
  cancelUpload: (name: string) => `Cancel the upload of ${name}`,
  retryUpload: (name: string) => `Upload ${name} again`,
  uploadAllAgain: (count: number) => `Upload all ${count} again`,
  fileGone: 'The file cannot be read any more: it was moved, changed or deleted. Choose it once more.',
  underWay: (count: number) => (count === 1 ? '1 upload under way' : `${count} uploads under way`),
  failedUploads: (count: number) => (count === 1 ? '1 upload failed' : `${count} uploads failed`),
  notSent: 'Not uploaded',
  refused: {
    empty: (name: string) => `${name} is empty. Choose a file that has something in it.`,
    'too-large': (name: string, size: string, largest: string) =>
      `${name} is too large: it is ${size}; the limit is ${largest}. Split it, or save it in a smaller form.`,
    folder: (name: string) => `${name} is a folder. Open it, and drop the files in it.`,
    unreadable: (name: string) => `${name} is of a kind that cannot be read. Save it as one of these: ${readable}.`,
  },

  // A knowledge base's page
  about: 'Document',
  file: 'File',
  kind: 'Kind',
  size: 'Size',
  passages: 'Passages',
  characters: 'Characters',
  digest: 'SHA-256',
  added: 'Added',
  copyDigest: 'Copy the SHA-256',
  reading: 'The document is being read. This page follows it.',
  warningsTitle: 'The document may not have been read as you expect',
  failedTitle: 'The document could not be read',
  failedAdvice: 'Fix the file, upload it again and delete this one.',

  // Attaching
  attachedTo: 'Attached to',
  attachedToHint: 'These assistants look things up in it.',
  attachedToNone: 'No assistant uses it yet. Attach it to one to have it looked up in calls.',
  attachedToFailed: 'No assistant can look anything up in a document that failed.',
  attachTo: 'Attach to an assistant',
  detachFrom: (name: string) => `Detach from ${name}`,
  detach: (name: string) => `Detach ${name}`,
  attached: (name: string) => `Attached: ${name}`,
  detached: (name: string) => `Detached: ${name}`,
  showMore: (count: number) => `Show ${count} more`,
  attachExisting: 'Attach a document',
  findDocument: 'Find a document by name',
  noDocument: 'No other document of that name',
  attachedNone: 'Nothing is attached. Upload a document, or attach one that is there.',

  // Searching
  searchAll: 'Search all documents',
  searchAllHint: 'Finds passages in your 50 newest documents that are ready.',
  search: 'Try a search',
  searchHint: 'Searches as a worker does in a call: in everything that is attached to the assistant.',
  searchNeedsAssistant: 'Attach the document to an assistant first: searches run as an assistant.',
  searchAs: 'Assistant',
  query: 'What a caller might ask',
  queryExample: 'When do you open on Saturdays?',
  go: 'Search',
  results: (count: number) => (count === 1 ? '1 passage' : `${count} passages`),
  nothingFound: 'No passage shares a word with this question.',
  notReady: 'This document is not ready yet, so searches leave it out.',
  page: (page: number) => `page ${page}`,
  score: (score: string) => `Score ${score}`,
  scoreHint: 'How well it fits, compared with the other results',
  thisOne: 'this document',

  // Deleting
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteText: 'The record, the file and its passages will be gone for good.',
  deleteAttached: (count: number) =>
    count === 1
      ? 'One assistant uses it. It will be detached first.'
      : `${count} assistants use it. It will be detached from them first.`,
  deleteDetaching: 'Detach and delete',
  deleted: 'Knowledge base deleted',
} as const;
