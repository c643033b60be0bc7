import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { listFolderPrefixes } from '../../../../shared/store/files/folders.ts';
import { UserError } from '../../../terminal/user-error.ts';
import type { Deployment } from './deployment.ts';

/** Version of a file. Replaced and deleted versions stay in the bucket for 30 days. */
export interface FileVersion {
  path: string;
  id: string;
  bytes: number;
  /** MD5 in hex, since every file is uploaded in one part. */
  etag: string;
  isLatest: boolean;
  /** True for a delete marker, which has no content. */
  isMarker: boolean;
}

/** Lists all versions of a user's files, grouped by file, newest first. */
export async function* listVersions({ s3, bucket }: Deployment, owner: string): AsyncGenerator<FileVersion> {
  for (const Prefix of listFolderPrefixes(owner)) {
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

/** Returns the content of a version; undefined if there is no such version, or no more. */
export async function findContent(
  { s3, bucket }: Deployment,
  { path, id }: FileVersion,
): Promise<Uint8Array | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: path, VersionId: id }));
    return await Body?.transformToByteArray();
  } catch (error) {
    if (error instanceof S3ServiceException && ['NoSuchKey', 'NoSuchVersion'].includes(error.name)) return undefined;
    throw error;
  }
}

/** Writes a file, and replaces any file with the same path. */
export async function putFile({ s3, bucket }: Deployment, path: string, content: Uint8Array): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: path, Body: content }));
}

/** Deletes up to 1,000 versions permanently. Throws UserError if S3 refuses one. */
export async function deleteVersions({ s3, bucket }: Deployment, versions: FileVersion[]): Promise<void> {
  const Objects = versions.map(({ path, id }) => ({ Key: path, VersionId: id }));
  const { Errors = [] } = await s3.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }));
  const [first] = Errors;
  if (first) throw new UserError(`S3 did not delete ${first.Key}: ${first.Message}. Fix that, then run it again`);
}
