import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { foldersOf } from '../../shared/store/folders.ts';
import { Problem } from '../problem.ts';
import type { Place } from './place.ts';

/** One version of a file. What was replaced or deleted stays in the bucket for 30 days. */
export interface Version {
  path: string;
  id: string;
  bytes: number;
  /** Of a file that was sent in one piece, as all are here: its MD5 in hex. */
  etag: string;
  isLatest: boolean;
  /** It says that the file was deleted, and has no content. */
  isMarker: boolean;
}

/** All versions of a user's files, those of a file together, the newest first. */
export async function* versionsOf({ s3, bucket }: Place, owner: string): AsyncGenerator<Version> {
  for (const Prefix of foldersOf(owner)) {
    let page: Partial<ListObjectVersionsCommandOutput> = {};
    do {
      page = await s3.send(
        new ListObjectVersionsCommand({
          Bucket: bucket,
          Prefix,
          KeyMarker: page.NextKeyMarker,
          VersionIdMarker: page.NextVersionIdMarker,
        }),
      );
      const found = [
        ...(page.Versions ?? []).map((one) => ({ ...one, isMarker: false })),
        ...(page.DeleteMarkers ?? []).map((one) => ({ ...one, isMarker: true, Size: 0, ETag: '' })),
      ];
      for (const { Key = '', VersionId = '', Size = 0, ETag = '', IsLatest = false, isMarker } of found)
        yield { path: Key, id: VersionId, bytes: Size, etag: ETag.replaceAll('"', ''), isLatest: IsLatest, isMarker };
    } while (page.IsTruncated);
  }
}

/** The content of a version. */
export async function contentOf({ s3, bucket }: Place, { path, id, isLatest }: Version): Promise<Uint8Array> {
  const { Body } = await s3.send(
    new GetObjectCommand({ Bucket: bucket, Key: path, ...(!isLatest && { VersionId: id }) }),
  );
  return (await Body?.transformToByteArray()) ?? new Uint8Array();
}

/** Stores a file, over one of the same path. */
export async function store({ s3, bucket }: Place, path: string, content: Uint8Array): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: path, Body: content }));
}

/** Deletes up to 1,000 versions for good. Throws Problem where S3 refuses one. */
export async function deleteVersions({ s3, bucket }: Place, versions: Version[]): Promise<void> {
  const Objects = versions.map(({ path, id }) => ({ Key: path, VersionId: id }));
  const { Errors = [] } = await s3.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }));
  const [first] = Errors;
  if (first) throw new Problem(`S3 did not delete ${first.Key}: ${first.Message}. Mend that, then run it again`);
}
