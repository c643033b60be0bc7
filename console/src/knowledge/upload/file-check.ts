import { getMaxUploadBytes } from '../../../../shared/domain/upload-limit.ts';
import {
  findKindByMediaType,
  findKindByName,
  listExtensions,
  mediaTypes,
} from '../../../../shared/reading/media-types.ts';
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

/** Media types that are certainly not documents. Anything else may be text, so the API decides. */
const unreadable =
  /^(?:audio|font|image|model|video)\/|^application\/(?:vnd\.|msword|zip|gzip|java-archive|x-[\w-]*(?:zip|tar|compressed|msdownload))/;

const mayBeRead = (name: string, type: string) =>
  findKindByName(name) || findKindByMediaType(type) || /[+/](?:json|xml)$/.test(type) || !unreadable.test(type);

/** Returns the largest size that the API accepts of a file of this kind. */
export const getLargestSize = ({ name, type }: Pick<Candidate, 'name' | 'type'>): number =>
  getMaxUploadBytes({ file_name: name, content_type: type });

/** Returns the reason why the API would certainly reject a file; undefined if it may accept it. */
export function findRefusal(file: Candidate, isFolder = false): Refusal | undefined {
  if (isFolder) return 'folder';
  if (file.size === 0) return 'empty';
  // With a spreadsheet program installed, browsers report CSV files with that program's media type.
  if (!mayBeRead(file.name, file.type.toLowerCase())) return 'unreadable';
  return file.size > getLargestSize(file) ? 'too-large' : undefined;
}

export const getUploadMethod = ({ size }: Pick<Candidate, 'size'>): UploadMethod =>
  size <= maxPostedBytes ? 'form' : 'direct';

/** Value of the file dialog's `accept` attribute. Browsers do not know the media types of some extensions. */
export const acceptedFiles = [...Object.values(mediaTypes), ...listExtensions().map((name) => `.${name}`)].join(',');

export { maxTextBytes, maxUploadBytes };
