import { type StoredAssistant, toAssistantResult } from '../domain/assistant.ts';
import type { LookupFailure } from '../domain/credential-lookup.ts';
import { toEtag } from '../domain/etag.ts';
import { clearDetached } from '../domain/knowledge-base.ts';
import { type Lease, listLeases } from '../domain/runtime-config.ts';
import { listCallTools } from '../domain/tools/functions.ts';
import type { Assistant } from '../schemas/assistant.ts';
import type { Tool } from '../schemas/tool.ts';
import type { VersionReference } from '../schemas/version.ts';
import type { User } from '../user.ts';
import type { EncryptedCredential } from './credentials/credentials.ts';
import { findCredentials } from './credentials/leases.ts';
import { listAttached } from './knowledge-bases/attachments.ts';
import { readVersion } from './versions/read-version.ts';

/** Choices of a call: its version, and who runs its tools. */
export interface CallOptions {
  /** The service runs the `http` tools, so their keys are left out. */
  remote: boolean;
  version: VersionReference;
  /** Room of the call, which chooses among the live versions. */
  room: string | undefined;
}

/** An assistant with all that a call needs, its keys still encrypted. */
export interface CallConfig {
  /** The version of the call, with the attachments of today. */
  stored: StoredAssistant;
  assistant: Assistant;
  /** Null for the draft. */
  version: number | null;
  etag: string;
  tools: Tool[];
  leases: Lease[];
  /** Credential or failure of each lease, in order. */
  found: (EncryptedCredential | LookupFailure)[];
}

/**
 * Reads an assistant as a call gets it: one of its versions, with the attachments of today. One round trip, and another one for a live
 * version that this function has not read before. Throws NotFound, or Unavailable if the live version cannot be read. `locs` says where the
 * request names the version, unless in the query, and the assistant, unless in the path.
 */
export async function readForCall(
  owner: string,
  assistantId: string,
  { version: reference, room }: Omit<CallOptions, 'remote'>,
  locs: { version: string[]; assistant?: string[] } = { version: ['query', 'version'] },
): Promise<{ stored: StoredAssistant; version: number | null }> {
  const wanted = { reference, room, loc: locs.version, assistantLoc: locs.assistant };
  const { assistant, version, stored, content } = await readVersion(owner, assistantId, wanted);
  if (version === null) return { stored: assistant, version };
  const knowledge_base = clearDetached(content.knowledge_base, assistant.attachments);
  // All of it is of the version, so that an edit of the draft makes no copy of a worker stale.
  const updated_at = stored?.created_at ?? assistant.updated_at;
  return { stored: { ...assistant, ...content, knowledge_base, updated_at }, version };
}

/** Reads all that a call of an assistant needs. One round trip more than `readForCall`, with its errors. */
export async function readCallConfig(user: User, assistantId: string, options: CallOptions): Promise<CallConfig> {
  const { stored, version } = await readForCall(user.key, assistantId, options);
  const tools = listCallTools(stored);
  const leases = listLeases(stored, tools, options.remote);
  const [attached, found] = await Promise.all([
    listAttached(user.key, stored),
    findCredentials(
      user.key,
      leases.map(({ lookup }) => lookup),
    ),
  ]);
  const draft = toAssistantResult(stored, user, attached);
  const assistant = { ...draft.body, has_unpublished_changes: false };
  const etag = version === null ? draft.etag : toEtag(version, ['version', attached, assistant.live]);
  return { stored, assistant, version, etag, tools, leases, found };
}
