import * as v from 'valibot';
import { route } from '../route.ts';
import { Assistant, AssistantId } from '../schemas/assistant.ts';
import { EmptyBody, Envelope, Uuid } from '../schemas/common.ts';
import { LiveChange, OneLive } from '../schemas/live.ts';
import {
  DiffQuery,
  OneVersion,
  OneVersionContent,
  Publication,
  VersionDiff,
  VersionList,
  VersionPath,
  VersionReferencePath,
  VersionsQuery,
} from '../schemas/version.ts';

export const publish = /* @__PURE__ */ route(() => ({
  id: 'versions/publish',
  method: 'POST',
  path: '/assistants/{assistant_id}/versions',
  scope: 'write',
  summary: 'Publish an assistant: make a version of its draft',
  description:
    'The version never changes. The next calls get it, unless `live` is false. From the first live version on, `PUT` changes only ' +
    'the draft. If the draft equals the newest version, that one is returned. With `If-Match`, only the revision that you read is published.',
  params: AssistantId,
  body: Publication,
  returns: OneVersion,
  conditional: 'if-match',
  creates: true,
  errors: ['NotFound', 'Conflict', 'PreconditionFailed'],
  tells: ['assistant.published', 'assistant.live_changed'],
  needs: {
    rows: {
      assistants: ['GetItem', 'UpdateItem'],
      versions: ['Query', 'PutItem'],
      once: ['GetItem', 'PutItem'],
    },
  },
}));

export const list = /* @__PURE__ */ route(() => ({
  id: 'versions/list',
  method: 'GET',
  path: '/assistants/{assistant_id}/versions',
  scope: 'read',
  summary: 'List the versions of an assistant, newest first',
  description: 'Without what they hold. `weight` is the share of the calls that get the version, in percent.',
  params: AssistantId,
  query: VersionsQuery,
  returns: VersionList,
  cursor: true,
  errors: ['NotFound'],
  needs: { rows: { assistants: ['GetItem'], versions: ['Query'] } },
}));

export const get = /* @__PURE__ */ route(() => ({
  id: 'versions/get',
  method: 'GET',
  path: '/assistants/{assistant_id}/versions/{version}',
  scope: 'read',
  summary: 'Read a version of an assistant',
  description: '`version` is a number, `live` for the version that most calls get, or `draft`.',
  params: VersionReferencePath,
  returns: OneVersionContent,
  etag: true,
  conditional: 'if-none-match',
  errors: ['NotFound'],
  needs: { rows: { assistants: ['GetItem'], versions: ['GetItem'] } },
}));

export const diff = /* @__PURE__ */ route(() => ({
  id: 'versions/diff',
  method: 'GET',
  path: '/assistants/{assistant_id}/versions/{version}/diff',
  scope: 'read',
  summary: 'Compare a version of an assistant with another',
  description:
    'Lists the fields that differ, each with its values before (in `against`) and after. Without `against`, that is the version before ' +
    'it. Tools and MCP servers are compared by their names.',
  params: VersionReferencePath,
  query: DiffQuery,
  returns: VersionDiff,
  errors: ['NotFound'],
  needs: { rows: { assistants: ['GetItem'], versions: ['GetItem', 'Query'] } },
}));

export const restore = /* @__PURE__ */ route(() => ({
  id: 'versions/restore',
  method: 'POST',
  path: '/assistants/{assistant_id}/versions/{version}/restore',
  scope: 'write',
  summary: 'Copy a version into the draft of its assistant',
  description:
    'What calls get stays as it is, if a version is live. Knowledge bases stay attached as they are. ' +
    'With `If-Match`, only the revision that you read is replaced.',
  params: VersionPath,
  body: EmptyBody,
  returns: Assistant,
  repeatable: true,
  etag: true,
  conditional: 'if-match',
  errors: ['NotFound', 'Conflict', 'PreconditionFailed'],
  tells: ['assistant.updated'],
  needs: {
    rows: { assistants: ['GetItem', 'UpdateItem'], knowledge: ['BatchGetItem'], versions: ['GetItem'] },
  },
}));

export const remove = /* @__PURE__ */ route(() => ({
  id: 'versions/delete',
  method: 'DELETE',
  path: '/assistants/{assistant_id}/versions/{version}',
  scope: 'write',
  summary: 'Delete a version that is not live',
  params: VersionPath,
  returns: Envelope(v.object({ assistant_id: Uuid, version: v.number() })),
  errors: ['NotFound', 'Conflict'],
  tells: ['assistant.version_deleted'],
  needs: { rows: { assistants: ['GetItem', 'UpdateItem'], versions: ['DeleteItem'] } },
}));

export const live = /* @__PURE__ */ route(() => ({
  id: 'versions/live',
  method: 'PUT',
  path: '/assistants/{assistant_id}/live',
  scope: 'write',
  summary: 'Choose the versions that calls get',
  description:
    'One `version`, or up to five `versions` whose weights add up to 100. A call is given one of them by its room. ' +
    'An empty list makes the draft live again. Calls get it with the next read of their worker, within 15 minutes. ' +
    'With `If-Match`, only if they are still those of the `ETag` of `GET …/versions/live`.',
  params: AssistantId,
  body: LiveChange,
  returns: OneLive,
  etag: true,
  conditional: 'if-match',
  errors: ['NotFound', 'Conflict', 'PreconditionFailed'],
  tells: ['assistant.live_changed'],
  needs: { rows: { assistants: ['GetItem', 'UpdateItem'], versions: ['BatchGetItem'] } },
}));
