import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface StoredVersion {
  key: string;
  id: string;
  /** Undefined for a delete marker. */
  content: Buffer | undefined;
}

const md5 = (content: Buffer) => createHash('md5').update(content).digest('hex');

/** Lists the values of all elements with a name. */
const listElements = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, value = '']) => value);

/**
 * Starts an in-memory S3 with one versioned bucket, because the embedded S3 keeps no versions. It can list, read and delete versions.
 * Lists have two entries per page, so that tests cover paging.
 */
export async function startVersionedS3() {
  /** All versions, the newest of each key first. */
  let versions: StoredVersion[] = [];
  let ids = 0;
  const sortByKey = () => versions.toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
  const isLatest = (one: StoredVersion) => versions.find(({ key }) => key === one.key) === one;

  const toXml = (one: StoredVersion) => {
    const common = `<Key>${one.key}</Key><VersionId>${one.id}</VersionId><IsLatest>${isLatest(one)}</IsLatest>`;
    if (!one.content) return `<DeleteMarker>${common}</DeleteMarker>`;
    return `<Version>${common}<ETag>&quot;${md5(one.content)}&quot;</ETag><Size>${one.content.length}</Size></Version>`;
  };

  function buildPage(query: URLSearchParams): string {
    const all = sortByKey().filter(({ key }) => key.startsWith(query.get('prefix') ?? ''));
    const [marker, versionMarker] = [query.get('key-marker'), query.get('version-id-marker')];
    const start = marker ? all.findIndex(({ key, id }) => key === marker && id === versionMarker) + 1 : 0;
    const some = all.slice(start, start + 2);
    const last = some.at(-1);
    const next =
      start + some.length < all.length
        ? `<IsTruncated>true</IsTruncated><NextKeyMarker>${last?.key}</NextKeyMarker><NextVersionIdMarker>${last?.id}</NextVersionIdMarker>`
        : '<IsTruncated>false</IsTruncated>';
    return `<ListVersionsResult>${next}${some.map(toXml).join('')}</ListVersionsResult>`;
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    const body = await buffer(request);
    if (request.method === 'POST') {
      const deleted = new Set(listElements(body.toString(), 'VersionId'));
      versions = versions.filter(({ id }) => !deleted.has(id));
      response.end('<DeleteResult/>');
    } else if (searchParams.has('versions')) response.end(buildPage(searchParams));
    else {
      const wanted = searchParams.get('versionId');
      const found = versions.find((one) => one.key === key && (wanted === null || one.id === wanted));
      if (found?.content) response.end(found.content);
      else response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put: (key: string, content: string) => versions.unshift({ key, id: `v${ids++}`, content: Buffer.from(content) }),
    delete: (key: string) => versions.unshift({ key, id: `v${ids++}`, content: undefined }),
    /** Lists all versions as `key id`, including delete markers. */
    listVersions: () => versions.map(({ key, id }) => `${key} ${id}`),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
