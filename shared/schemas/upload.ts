import * as v from 'valibot';
import { define } from '../define.ts';

/** File from a form. */
export interface UploadedFile {
  /** File name from the client, without a path. May be empty. */
  readonly name: string;
  /** Media type declared by the client, without parameters. */
  readonly type: string;
  /** Content of the file. Not enumerable: JSON has the digest instead. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string;
}

/** Schema of a file from `multipartBody`. */
export const UploadedFile = /* @__PURE__ */ define(() =>
  v.custom<UploadedFile>((file) => (file as UploadedFile | undefined)?.bytes instanceof Uint8Array),
);
