import { endings, mediaTypes } from '../../../../shared/reading/media-types.ts';
import { maxPostedBytes, maxUploadBytes } from '../../../../shared/schemas/knowledge-base.ts';

/** What is known of a file before it is sent. */
export interface Candidate {
  name: string;
  /** As the browser guesses it; often empty. */
  type: string;
  size: number;
}

/** Why a file is not sent. */
export type Refusal = 'empty' | 'too-large' | 'unreadable' | 'folder';

/** How it is sent: to the API in a form or, where it is larger than the API takes, straight to S3. */
export type Way = 'posted' | 'straight';

const readable: string[] = Object.values(mediaTypes);

/** Of these kinds nothing else is read. What is not among them may be text, so that the service has to tell. */
const unreadable =
  /^(?:audio|font|image|model|video)\/|^application\/(?:vnd\.|msword|zip|gzip|java-archive|x-[\w-]*(?:zip|tar|compressed|msdownload))/;

const isText = ({ name, type }: Candidate) =>
  Object.hasOwn(endings, name.slice(name.lastIndexOf('.') + 1).toLowerCase()) || /[+/](?:json|xml)$/.test(type);

/** Why a file need not be sent: the service would refuse it for certain. Undefined where it may take it. */
export function refusalOf(file: Candidate, isFolder = false): Refusal | undefined {
  if (isFolder) return 'folder';
  if (file.size === 0) return 'empty';
  if (file.size > maxUploadBytes) return 'too-large';
  const type = file.type.toLowerCase();
  // A table of a spreadsheet's program is announced as that program's own where it is installed.
  return unreadable.test(type) && !readable.includes(type) && !isText(file) ? 'unreadable' : undefined;
}

/** How a file is sent. */
export const wayOf = ({ size }: Pick<Candidate, 'size'>): Way => (size <= maxPostedBytes ? 'posted' : 'straight');

/** What a file dialog offers at first. */
export const offered = [...readable, ...Object.keys(endings).map((ending) => `.${ending}`)].join(',');

export { maxUploadBytes };
