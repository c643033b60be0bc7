import { extensions, mediaTypes } from '../../../../shared/reading/media-types.ts';
import { maxPostedBytes, maxUploadBytes } from '../../../../shared/schemas/knowledge-base.ts';

/** Properties of a file before the upload. */
export interface Candidate {
  name: string;
  /** Media type that the browser guessed; often empty. */
  type: string;
  size: number;
}

/** Reason why a file cannot be uploaded. */
export type Refusal = 'empty' | 'too-large' | 'unreadable' | 'folder';

/** Upload method: a form to the API or, for files larger than the API accepts, directly to S3. */
export type UploadMethod = 'form' | 'direct';

const readable: string[] = Object.values(mediaTypes);

/** Media types that are certainly not documents. Anything else may be text, so the API decides. */
const unreadable =
  /^(?:audio|font|image|model|video)\/|^application\/(?:vnd\.|msword|zip|gzip|java-archive|x-[\w-]*(?:zip|tar|compressed|msdownload))/;

const isText = ({ name, type }: Candidate) =>
  Object.hasOwn(extensions, name.slice(name.lastIndexOf('.') + 1).toLowerCase()) || /[+/](?:json|xml)$/.test(type);

/** Returns the reason why the API would certainly reject a file; undefined if it may accept it. */
export function findRefusal(file: Candidate, isFolder = false): Refusal | undefined {
  if (isFolder) return 'folder';
  if (file.size === 0) return 'empty';
  if (file.size > maxUploadBytes) return 'too-large';
  const type = file.type.toLowerCase();
  // With a spreadsheet program installed, browsers report CSV files with that program's media type.
  return unreadable.test(type) && !readable.includes(type) && !isText(file) ? 'unreadable' : undefined;
}

export const getUploadMethod = ({ size }: Pick<Candidate, 'size'>): UploadMethod =>
  size <= maxPostedBytes ? 'form' : 'direct';

/** Value of the file dialog's `accept` attribute. */
export const acceptedFiles = [...readable, ...Object.keys(extensions).map((ending) => `.${ending}`)].join(',');

export { maxUploadBytes };
