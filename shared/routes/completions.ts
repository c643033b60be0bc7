import { route } from '../route.ts';
import { ChatCompletion, ChatRequest, ModelList, maxModels } from '../schemas/chat.ts';

export const create = /* @__PURE__ */ route(() => ({
  id: 'completions/create',
  method: 'POST',
  path: '/chat/completions',
  scope: 'chat',
  summary: 'Talk to an assistant in text, with any client of OpenAI',
  description:
    "OpenAI's Chat Completions, with an assistant in the place of the model: its prompt, knowledge and tools, by its own vendor and your " +
    'own key. `model` is its id, with `@draft` or a version such as `@7` after it for another than the live one. What is not named here ' +
    'reaches the vendor as it is. With `stream`, the answer comes in pieces as server-sent events, with a last `voice_assistants` in the ' +
    'piece that ends it. Errors also have the `error` of OpenAI.',
  body: ChatRequest,
  mayBeLossy: true,
  maxBodyBytes: 5 * 1024 * 1024,
  memoryMb: 1_024, // callers wait for the answer, and what large chats leave must not end the next: docs/decisions/0014-*.md
  repeatable: true,
  streamSeconds: 120,
  hasOpenAiErrors: true,
  returns: ChatCompletion,
  errors: ['NotFound', 'Conflict', 'VendorRefused', 'VendorBusy', 'VendorUnavailable'],
  tells: ['credential.leased', 'completion.done'],
  quota: 'completions',
  needs: {
    rows: {
      assistants: ['GetItem', 'BatchGetItem'],
      versions: ['GetItem'],
      knowledge: ['BatchGetItem'],
      credentials: ['GetItem', 'Query'],
      calls: ['Query', 'PutItem'],
      sessions: ['BatchGetItem', 'PutItem'],
      transcripts: ['BatchGetItem', 'PutItem', 'DeleteItem'],
      counts: ['UpdateItem'],
      usage: ['BatchGetItem', 'UpdateItem'],
    },
    secrets: { credentials: ['Decrypt'] },
    files: { passages: ['GetObject'], transcripts: ['PutObject', 'GetObject', 'DeleteObject'] },
    models: true,
    outboundRules: true,
  },
}));

export const models = /* @__PURE__ */ route(() => ({
  id: 'completions/models',
  method: 'GET',
  path: '/models',
  scope: 'chat',
  summary: 'List your assistants as models, for clients of OpenAI',
  description: `Your ${maxModels} newest assistants, newest first. \`id\` is the \`model\` of a chat; \`name\` is that of the assistant.`,
  hasOpenAiErrors: true,
  returns: ModelList,
  errors: [],
  needs: { rows: { assistants: ['Query'] } },
}));
