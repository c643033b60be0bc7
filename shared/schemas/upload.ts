import * as v from 'valibot';
import { define } from '../define.ts';

/** A file that came with a form. */
export interface UploadedFile {
  /** As the client calls it, without a path; empty where it has none. */
  readonly name: string;
  /** The media type that the client declares, without parameters. */
  readonly type: string;
  /** Not enumerable: in JSON, the digest speaks for them. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the bytes, in hex. */
  readonly sha256: string;
}

/** The file of a form, as `multipartBody` leaves it. */
export const UploadedFile = /* @__PURE__ */ define(() =>
  v.custom<UploadedFile>((file) => (file as UploadedFile | undefined)?.bytes instanceof Uint8Array),
);
