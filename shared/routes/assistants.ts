import * as v from 'valibot';
import { findTypos } from '../domain/typos.ts';
import { route } from '../route.ts';
import {
  Assistant,
  AssistantId,
  AssistantUpdate,
  LanguageConfig,
  NewAssistant,
  readOnlyFields,
} from '../schemas/assistant.ts';
import { Deleted, Envelope, QueryInteger, Text, Uuid } from '../schemas/common.ts';
import { RuntimeConfig } from '../schemas/runtime-config.ts';

export const create = /* @__PURE__ */ route(() => ({
  id: 'assistants/create',
  method: 'POST',
  path: '/assistants',
  scope: 'write',
  summary: 'Create an assistant',
  description:
    'Keys of `voice`, `llm`, `transcriber`, `knowledge_base` and `transport` that this document does not name are stored ' +
    'and returned as sent. Other unknown keys are ignored and listed in `x-ignored-fields`. ' +
    'Settings and vendors that look mistyped are listed in `x-did-you-mean`.',
  body: NewAssistant,
  readOnly: readOnlyFields,
  findTypos,
  returns: Assistant,
  etag: true,
  creates: true,
  errors: ['NotFound', 'Conflict'],
  tells: ['assistant.created'],
  needs: { rows: { assistants: ['PutItem'], knowledge: ['BatchGetItem', 'UpdateItem'], once: ['PutItem'] } },
}));

export const list = /* @__PURE__ */ route(() => ({
  id: 'assistants/list',
  method: 'GET',
  path: '/assistants',
  scope: 'read',
  summary: 'List your assistants, newest first',
  description:
    'Returns all that fit into one response (5 MB). If there are more, or more than `limit`, the `Link` header points to the next page.',
  query: v.object({
    limit: v.optional(QueryInteger(1, 1000)),
    cursor: v.optional(v.string()),
    name: v.optional(Text(200)),
  }),
  returns: v.array(Assistant),
  paged: true,
  errors: [],
  needs: { rows: { assistants: ['Query'], knowledge: ['BatchGetItem'] } },
}));

export const get = /* @__PURE__ */ route(() => ({
  id: 'assistants/get',
  method: 'GET',
  path: '/assistants/{assistant_id}',
  scope: 'read',
  summary: 'Read one of your assistants',
  params: AssistantId,
  returns: Assistant,
  etag: true,
  conditional: 'if-none-match',
  errors: ['NotFound'],
  needs: { rows: { assistants: ['GetItem'], knowledge: ['BatchGetItem'] } },
}));

export const update = /* @__PURE__ */ route(() => ({
  id: 'assistants/update',
  method: 'PUT',
  path: '/assistants/{assistant_id}',
  scope: 'write',
  summary: 'Change some fields of an assistant',
  description:
    'Absent fields stay as they are. `null` clears `description` and `first_message`, and sets a key of a sub-object ' +
    'back to its default. `sip_config` is replaced whole. With `If-Match`, only the revision that you read is changed.',
  params: AssistantId,
  body: AssistantUpdate,
  readOnly: readOnlyFields,
  findTypos,
  returns: Assistant,
  etag: true,
  conditional: 'if-match',
  errors: ['NotFound', 'Conflict', 'PreconditionFailed'],
  tells: ['assistant.updated'],
  needs: { rows: { assistants: ['GetItem', 'UpdateItem'], knowledge: ['BatchGetItem', 'UpdateItem'] } },
}));

export const remove = /* @__PURE__ */ route(() => ({
  id: 'assistants/delete',
  method: 'DELETE',
  path: '/assistants/{assistant_id}',
  scope: 'write',
  summary: 'Delete an assistant',
  description: 'Its knowledge bases and its logs stay.',
  params: AssistantId,
  returns: Deleted,
  conditional: 'if-match',
  errors: ['NotFound', 'Conflict', 'PreconditionFailed'],
  tells: ['assistant.deleted'],
  needs: { rows: { assistants: ['DeleteItem', 'PutItem'], knowledge: ['BatchGetItem', 'UpdateItem'] } },
}));

export const languageConfig = /* @__PURE__ */ route(() => ({
  id: 'assistants/language-config',
  method: 'GET',
  path: '/assistants/{assistant_id}/language-config',
  scope: 'read',
  summary: 'Read the languages that an assistant speaks and understands',
  description: '`is_consistent` is true if both are the same language, or one of them is `multi` or `auto`.',
  params: AssistantId,
  returns: v.object({
    status: v.literal('success'),
    message: v.string(),
    assistant_id: Uuid,
    language_config: LanguageConfig,
  }),
  errors: ['NotFound'],
  needs: { rows: { assistants: ['GetItem'] } },
}));

export const runtimeConfig = /* @__PURE__ */ route(() => ({
  id: 'assistants/runtime-config',
  method: 'GET',
  path: '/assistants/{assistant_id}/runtime-config',
  summary: "Read all that a worker needs to take a call, including its vendors' keys",
  description:
    'For workers, with an API key that has the scope `runtime`. Returns for each vendor the credential that the sub-object names in ' +
    "`credential`, else the one called `default`, else the service's only one; or null with the reason. Use it until " +
    '`expires_at`, then request it again with `If-None-Match`: 304 extends it by 15 minutes.',
  scope: 'runtime',
  workersOnly: true,
  secret: true,
  canary: true,
  memoryMb: 1_024, // callers wait for the response: docs/decisions/0014-*.md
  params: AssistantId,
  returns: Envelope(RuntimeConfig),
  etag: true,
  conditional: 'if-none-match',
  errors: ['NotFound'],
  tells: ['credential.leased'],
  needs: {
    rows: { assistants: ['GetItem'], knowledge: ['BatchGetItem'], credentials: ['GetItem', 'Query'] },
    secrets: { credentials: ['Decrypt'] },
  },
}));
