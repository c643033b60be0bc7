import type { AssistantContent } from '../../schemas/assistant.ts';
import { toEnvelope } from '../../schemas/common.ts';
import type { VersionContent, VersionReference } from '../../schemas/version.ts';
import type { StoredAssistant } from '../assistant.ts';
import { toEtag, toLiveEtag } from '../etag.ts';
import { getContent } from './content.ts';
import { type StoredVersion, toPublicVersion } from './versions.ts';

/** A version of an assistant, or its draft. */
export interface ResolvedVersion {
  assistant: StoredAssistant;
  /** The version as the client named it. */
  reference: VersionReference;
  /** Null for the draft. */
  version: number | null;
  /** Undefined for the draft. */
  stored: StoredVersion | undefined;
  content: AssistantContent;
}

/** Describes the draft like a version. Its weight is 100 while no version is live. */
const toPublicDraft = ({ versions, attachments, updated_at }: StoredAssistant) => ({
  version: null,
  note: null,
  weight: versions.live ? 0 : 100,
  attached_knowledge_base_ids: Object.keys(attachments).toSorted(),
  published_by: null,
  created_at: updated_at,
});

/** Returns the tag of a version. That of `live` is the one that changing it takes in `If-Match`. */
const toVersionEtag = ({ assistant, reference, version }: ResolvedVersion, data: VersionContent): string =>
  reference === 'live'
    ? toLiveEtag(assistant.versions.live_revision, data)
    : toEtag(version ?? assistant.revision, data);

/** Builds the result that returns a version with all that it holds. */
export function toVersionResult(resolved: ResolvedVersion) {
  const { assistant, stored, content } = resolved;
  const facts = stored ? toPublicVersion(stored, assistant.versions) : toPublicDraft(assistant);
  const data: VersionContent = { ...facts, assistant: getContent(content) };
  return { body: toEnvelope('Version read', data), etag: toVersionEtag(resolved, data) };
}
