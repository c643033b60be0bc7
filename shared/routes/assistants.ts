import * as v from 'valibot';
import { define } from '../define.ts';
import { findTypos } from '../domain/typos.ts';
import { leaseNeeds, route } from '../route.ts';
import {
  Assistant,
  AssistantId,
  AssistantUpdate,
  LanguageConfig,
  NewAssistant,
  readOnlyFields,
} from '../schemas/assistant.ts';
import { Deleted, Envelope, QueryInteger, rule, Text, Uuid } from '../schemas/common.ts';
import { CallStart, OneRuntimeConfig, ToolAnswer, ToolCall } from '../schemas/runtime-config.ts';
import { VersionReference } from '../schemas/version.ts';

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
  needs: {
    rows: { assistants: ['PutItem'], knowledge: ['BatchGetItem', 'UpdateItem'], once: ['PutItem'] },
    outboundRules: true,
  },
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
  needs: {
    rows: { assistants: ['GetItem', 'UpdateItem'], knowledge: ['BatchGetItem', 'UpdateItem'] },
    outboundRules: true,
  },
}));

export const remove = /* @__PURE__ */ route(() => ({
  id: 'assistants/delete',
  method: 'DELETE',
  path: '/assistants/{assistant_id}',
  scope: 'write',
  summary: 'Delete an assistant',
  description: 'Its versions are deleted, too. Its knowledge bases and its logs stay.',
  params: AssistantId,
  returns: Deleted,
  conditional: 'if-match',
  errors: ['NotFound', 'Conflict', 'PreconditionFailed'],
  tells: ['assistant.deleted'],
  needs: {
    rows: {
      assistants: ['DeleteItem', 'PutItem'],
      versions: ['PutItem'],
      knowledge: ['BatchGetItem', 'UpdateItem'],
    },
  },
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

/** Version that a worker asks for. Without one, it gets that of its call. */
const CallVersion = /* @__PURE__ */ define(() => v.optional(VersionReference, 'live'));

/** Side that runs the `http` tools of a call: the worker or the service. */
const ToolRunner = /* @__PURE__ */ define(() =>
  v.optional(
    v.pipe(
      v.string(),
      rule('enum', ['worker', 'remote'], 'Input should be worker or remote', (text: string) =>
        ['worker', 'remote'].includes(text),
      ),
    ),
    'worker',
  ),
);

export const runtimeConfig = /* @__PURE__ */ route(() => ({
  id: 'assistants/runtime-config',
  method: 'GET',
  path: '/assistants/{assistant_id}/runtime-config',
  summary: "Read all that a worker needs to take a call, including its vendors' keys",
  description:
    'For workers, with an API key that has the scope `runtime`. Returns for each vendor the credential that the sub-object names in ' +
    "`credential`, else the one called `default`, else the service's only one; or null with the reason. Use it until " +
    '`expires_at`, then request it again with `If-None-Match`: 304 extends it by 15 minutes. `call` is the room of the call, which ' +
    'chooses among the live versions; `version` asks for another one. `rendered` has the texts with the ' +
    'defaults of the variables; it is null if they cannot be rendered.',
  scope: 'runtime',
  workersOnly: true,
  secret: true,
  canary: true,
  memoryMb: 1_024, // callers wait for the response: docs/decisions/0014-*.md
  params: AssistantId,
  query: v.object({ tools: ToolRunner, version: CallVersion, call: v.optional(Text(256)) }),
  returns: OneRuntimeConfig,
  etag: true,
  conditional: 'if-none-match',
  errors: ['NotFound'],
  tells: ['credential.leased'],
  needs: leaseNeeds,
}));

export const startCall = /* @__PURE__ */ route(() => ({
  id: 'assistants/start-call',
  method: 'POST',
  path: '/assistants/{assistant_id}/runtime-config',
  summary: 'Read all that a worker needs for one call, with its texts rendered for it',
  description:
    'Like the GET, with the values of this call in `variables` and `call`. Answers 422 with all required variables that are missing, ' +
    'and if the texts cannot be rendered.',
  scope: 'runtime',
  workersOnly: true,
  secret: true,
  repeatable: true,
  canary: true,
  memoryMb: 1_024, // callers wait for the response: docs/decisions/0014-*.md
  params: AssistantId,
  query: v.object({ tools: ToolRunner, version: CallVersion }),
  body: CallStart,
  returns: OneRuntimeConfig,
  errors: ['NotFound'],
  tells: ['credential.leased'],
  needs: leaseNeeds,
}));

export const callTool = /* @__PURE__ */ route(() => ({
  id: 'assistants/call-tool',
  method: 'POST',
  path: '/assistants/{assistant_id}/tools/{tool_name}/call',
  summary: 'Run an `http` tool of an assistant',
  description:
    'The service sends the request, so that the worker never has the key. What the API answers is a result, whatever its status. ' +
    'If no answer comes, `status` is null and `error` says why. Nothing is tried again. The API gets `call_id` as `idempotency-key`.',
  scope: 'runtime',
  repeatable: true,
  canary: true,
  memoryMb: 1_024, // callers wait for the response: docs/decisions/0014-*.md
  params: v.object({ ...AssistantId.entries, tool_name: v.string() }),
  query: v.object({ version: CallVersion }),
  body: ToolCall,
  returns: Envelope(ToolAnswer),
  errors: ['NotFound'],
  quota: 'tool_calls',
  needs: {
    rows: { assistants: ['GetItem'], versions: ['GetItem'], credentials: ['GetItem', 'Query'] },
    secrets: { credentials: ['Decrypt'] },
    outboundRules: true,
  },
}));
