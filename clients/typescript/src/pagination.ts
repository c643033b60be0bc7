import type { Api, PathsWith } from './api.ts';
import type { paths } from './schema.d.ts';

/** Returns the cursor of the next page from the `Link` header (RFC 8288); undefined on the last page. */
export function parseNextCursor(headers: Headers): string | undefined {
  for (const link of headers.get('link')?.split(/,\s*(?=<)/) ?? []) {
    const [, target = '', parameters = ''] = /^\s*<([^>]*)>(.*)$/.exec(link) ?? [];
    if (!/;\s*rel="?next"?\s*(?:;|$)/.test(parameters)) continue;
    return new URLSearchParams(target.slice(target.indexOf('?') + 1)).get('cursor') ?? undefined;
  }
  return undefined;
}

type Get<Path extends PathsWith<'get'>> = paths[Path]['get'];
type QueryOf<Path extends PathsWith<'get'>> = NonNullable<Get<Path>['parameters']['query']>;

/** Paths of lists that come in pages. */
export type ListPath = {
  [Path in PathsWith<'get'>]: [QueryOf<Path>] extends [never]
    ? never
    : 'cursor' extends keyof QueryOf<Path>
      ? Path
      : never;
}[PathsWith<'get'>];

type Body<Path extends ListPath> = Get<Path>['responses'][200]['content']['application/json'];
type InEnvelope<Data> = { [Key in keyof Data]: Data[Key] extends (infer Item)[] ? Item : never }[keyof Data];

/** Item of a list. */
export type ListItem<Path extends ListPath> =
  Body<Path> extends (infer Item)[] ? Item : Body<Path> extends { data: infer Data } ? InEnvelope<Data> : never;

/** Parameters of a list, without the cursor. */
export interface ListOptions<Path extends ListPath> {
  path?: Get<Path>['parameters']['path'];
  query?: Omit<QueryOf<Path>, 'cursor'>;
  signal?: AbortSignal;
}

type Page = unknown[] | { data: Record<string, unknown> & { next_cursor: string | null } };

/** Yields every item of a list, page by page. Throws ApiError. */
export async function* listAll<Path extends ListPath>(
  api: Api,
  path: Path,
  { path: pathParameters, query, signal }: ListOptions<Path> = {},
): AsyncGenerator<ListItem<Path>> {
  const get = api.GET as unknown as (path: string, init: object) => Promise<{ data: Page; headers: Headers }>;
  let cursor: string | undefined;
  do {
    const params = { path: pathParameters, query: { ...query, cursor } };
    const { data, headers } = await get(path, { params, ...(signal && { signal }) });
    const isEnvelope = !Array.isArray(data);
    yield* (isEnvelope ? Object.values(data.data).find(Array.isArray) : data) as ListItem<Path>[];
    cursor = isEnvelope ? (data.data.next_cursor ?? undefined) : parseNextCursor(headers);
  } while (cursor !== undefined);
}
