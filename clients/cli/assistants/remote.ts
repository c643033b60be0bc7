import type { Assistant } from '../../../shared/schemas/assistant.ts';
import { ApiError } from '../../typescript/src/api-error.ts';
import type { Client } from '../../typescript/src/client.ts';

/** An assistant on the server, with its `ETag`. */
export interface RemoteAssistant {
  assistant: Assistant;
  etag: string;
}

/** Number of assistants that are read in parallel. */
const readsAtATime = 8;

/** Converts the response of an assistant. */
export const toRemote = ({ data, headers }: { data: object; headers: Headers }): RemoteAssistant => ({
  assistant: data as Assistant,
  etag: headers.get('etag') ?? '',
});

async function readOne(client: Client, assistant_id: string): Promise<RemoteAssistant | undefined> {
  try {
    return toRemote(await client.GET('/assistants/{assistant_id}', { params: { path: { assistant_id } } }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404 && error.faults[0]?.loc.length !== 1) return undefined;
    throw error;
  }
}

/** Reads assistants by their ids, a few at a time. Leaves out those that are gone. Throws ApiError. */
export async function readAssistants(client: Client, ids: readonly string[]): Promise<Map<string, RemoteAssistant>> {
  const found = new Map<string, RemoteAssistant>();
  for (let from = 0; from < ids.length; from += readsAtATime) {
    const some = ids.slice(from, from + readsAtATime);
    const read = await Promise.all(some.map((id) => readOne(client, id)));
    for (const one of read) if (one) found.set(one.assistant.id, one);
  }
  return found;
}

/** Reads all assistants, oldest first. Throws ApiError. */
export async function readAllAssistants(client: Client): Promise<RemoteAssistant[]> {
  const ids: string[] = [];
  for await (const { id } of client.list('/assistants', { query: { limit: 200 } })) ids.unshift(id);
  return [...(await readAssistants(client, ids)).values()];
}
