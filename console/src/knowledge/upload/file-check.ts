import { getMaxUploadBytes } from '../../../../shared/domain/upload-limit.ts';
import { extensions, mediaTypes } from '../../../../shared/reading/media-types.ts';
import { maxPostedBytes, maxTextBytes, maxUploadBytes } from '../../../../shared/schemas/knowledge-base.ts';

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

/** Media types of templates and of files with macros, which the API reads as the documents that they are. */
const officeVariants = /^application\/vnd\.(?:ms-(?:word|excel|powerpoint)\.|openxmlformats-|oasis\.opendocument\.)/;

const isText = ({ name, type }: Candidate) =>
  Object.hasOwn(extensions, name.slice(name.lastIndexOf('.') + 1).toLowerCase()) || /[+/](?:json|xml)$/.test(type);

/** Returns the largest size that the API accepts of a file of this kind. */
export const getLargestSize = ({ name, type }: Pick<Candidate, 'name' | 'type'>): number =>
  getMaxUploadBytes({ file_name: name, content_type: type });

/** Returns the reason why the API would certainly reject a file; undefined if it may accept it. */
export function findRefusal(file: Candidate, isFolder = false): Refusal | undefined {
  if (isFolder) return 'folder';
  if (file.size === 0) return 'empty';
  if (file.size > getLargestSize(file)) return 'too-large';
  const type = file.type.toLowerCase();
  // With a spreadsheet program installed, browsers report CSV files with that program's media type.
  const mayBeReadable = readable.includes(type) || officeVariants.test(type) || isText(file);
  return unreadable.test(type) && !mayBeReadable ? 'unreadable' : undefined;
}

export const getUploadMethod = ({ size }: Pick<Candidate, 'size'>): UploadMethod =>
  size <= maxPostedBytes ? 'form' : 'direct';

/** File extensions of all kinds. Browsers do not know the media types of some. */
const endings = [...Object.keys(mediaTypes), ...Object.keys(extensions)];

/** Value of the file dialog's `accept` attribute. */
export const acceptedFiles = [...readable, ...new Set(endings.map((ending) => `.${ending}`))].join(',');

export { maxTextBytes, maxUploadBytes };
