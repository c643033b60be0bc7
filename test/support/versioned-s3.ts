import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Kept {
  key: string;
  id: string;
  /** Undefined of a marker that says that the object was deleted. */
  content: Buffer | undefined;
}

const md5 = (content: Buffer) => createHash('md5').update(content).digest('hex');

/** The value of each element of a name. */
const elements = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, value = '']) => value);

/**
 * S3's bucket with versions, as far as they are listed, read and deleted, in memory: the embedded S3 keeps none. A list has two
 * entries a page, so that it has pages.
 */
export async function versionedS3() {
  /** Of each key the newest first. */
  let kept: Kept[] = [];
  let ids = 0;
  const listed = () => kept.toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
  const isLatest = (one: Kept) => kept.find(({ key }) => key === one.key) === one;

  const entry = (one: Kept) => {
    const common = `<Key>${one.key}</Key><VersionId>${one.id}</VersionId><IsLatest>${isLatest(one)}</IsLatest>`;
    if (!one.content) return `<DeleteMarker>${common}</DeleteMarker>`;
    return `<Version>${common}<ETag>&quot;${md5(one.content)}&quot;</ETag><Size>${one.content.length}</Size></Version>`;
  };

  function page(query: URLSearchParams): string {
    const all = listed().filter(({ key }) => key.startsWith(query.get('prefix') ?? ''));
    const [marker, versionMarker] = [query.get('key-marker'), query.get('version-id-marker')];
    const start = marker ? all.findIndex(({ key, id }) => key === marker && id === versionMarker) + 1 : 0;
    const some = all.slice(start, start + 2);
    const last = some.at(-1);
    const next =
      start + some.length < all.length
        ? `<IsTruncated>true</IsTruncated><NextKeyMarker>${last?.key}</NextKeyMarker><NextVersionIdMarker>${last?.id}</NextVersionIdMarker>`
        : '<IsTruncated>false</IsTruncated>';
    return `<ListVersionsResult>${next}${some.map(entry).join('')}</ListVersionsResult>`;
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    const body = await buffer(request);
    if (request.method === 'POST') {
      const gone = new Set(elements(body.toString(), 'VersionId'));
      kept = kept.filter(({ id }) => !gone.has(id));
      response.end('<DeleteResult/>');
    } else if (searchParams.has('versions')) response.end(page(searchParams));
    else {
      const wanted = searchParams.get('versionId');
      const found = kept.find((one) => one.key === key && (wanted === null || one.id === wanted));
      if (found?.content) response.end(found.content);
      else response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put: (key: string, content: string) => kept.unshift({ key, id: `v${ids++}`, content: Buffer.from(content) }),
    delete: (key: string) => kept.unshift({ key, id: `v${ids++}`, content: undefined }),
    /** All versions, markers included. */
    kept: () => kept.map(({ key, id }) => `${key} ${id}`),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
