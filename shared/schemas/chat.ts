import * as v from 'valibot';
import { define } from '../define.ts';
import { Integer, List, openObject, rule, Uuid } from './common.ts';
import { FoundPassage } from './knowledge-base.ts';
import { CallFacts, VariableValues } from './runtime-config.ts';

const modelPattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:@(live|draft|[1-9]\d{0,5}))?$/i;

/** An assistant instead of a model: its id, and after `@` its version. Without a version, the one that calls get. */
const AssistantModel = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    rule(
      'assistant_model',
      modelPattern.source,
      'Input should be the id of an assistant, such as 0197…, with @draft, @live or @7 after it to choose the version',
      (text: string) => modelPattern.test(text),
    ),
    v.title('Assistant'),
    v.description(
      'The id of an assistant. `@draft`, `@live` or a number after it chooses the version, else that of calls.',
    ),
  ),
);

/** Parses the `model` of a valid request. */
export function parseModel(model: string): { assistantId: string; version: 'live' | 'draft' | number } {
  const [, id = '', version = 'live'] = modelPattern.exec(model) ?? [];
  return {
    assistantId: id.toLowerCase(),
    version: version === 'live' || version === 'draft' ? version : Number(version),
  };
}

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const;

/** A message of a conversation, as OpenAI has them. */
const Message = /* @__PURE__ */ define(() => openObject({ role: v.picklist(roles) }));
export type Message = v.InferOutput<typeof Message>;

/** OpenAI's request of a chat completion. What is not named here is passed on to the vendor as it is. */
export const ChatRequest = /* @__PURE__ */ define(() =>
  openObject({
    model: AssistantModel,
    messages: v.pipe(
      List(Message, 200),
      rule('too_short', 1, 'Input should have at least 1 item', (messages: Message[]) => messages.length > 0),
    ),
    stream: v.nullish(v.boolean()),
    stream_options: v.nullish(openObject({})),
    tools: v.nullish(List(openObject({}), 128)),
    response_format: v.nullish(openObject({})),
    n: v.nullish(Integer(1, 1)),
    variables: v.optional(VariableValues, {}),
    call: v.optional(CallFacts, {}),
    session_id: v.nullish(
      v.pipe(
        Uuid,
        v.title('Conversation'),
        v.description('An id of your choice, the same for all turns of a conversation.'),
      ),
    ),
    store: v.nullish(v.boolean()),
    execute_tools: v.optional(v.boolean(), true),
  }),
);
export type ChatRequest = v.InferOutput<typeof ChatRequest>;

/** Call of one of the assistant's tools, with its result. */
export const ToolResult = /* @__PURE__ */ define(() =>
  v.object({
    call_id: v.string(),
    name: v.string(),
    arguments: v.unknown(),
    output: v.unknown(),
    is_error: v.boolean(),
    duration_ms: v.number(),
  }),
);
export type ToolResult = v.InferOutput<typeof ToolResult>;

/** Work of the service for an answer. `session_id` is null if the conversation is not stored. */
export const ChatFacts = /* @__PURE__ */ define(() =>
  v.object({
    assistant_id: Uuid,
    version: v.nullable(v.number()),
    session_id: v.nullable(Uuid),
    tool_results: v.array(ToolResult),
    passages: v.array(FoundPassage),
  }),
);
export type ChatFacts = v.InferOutput<typeof ChatFacts>;

/** OpenAI's chat completion, with what the service did for it. */
export const ChatCompletion = /* @__PURE__ */ define(() =>
  openObject({
    id: v.string(),
    object: v.literal('chat.completion'),
    created: v.number(),
    model: v.string(),
    choices: v.array(openObject({})),
    voice_assistants: ChatFacts,
  }),
);
export type ChatCompletion = v.InferOutput<typeof ChatCompletion>;

/** Maximum number of assistants in a list of models, which has no pages. */
export const maxModels = 100;

/** An assistant as a model of OpenAI's API, with its name. */
export const Model = /* @__PURE__ */ define(() =>
  v.object({
    id: Uuid,
    object: v.literal('model'),
    created: v.number(),
    owned_by: v.string(),
    name: v.string(),
  }),
);
export type Model = v.InferOutput<typeof Model>;

/** OpenAI's list of models. */
export const ModelList = /* @__PURE__ */ define(() => v.object({ object: v.literal('list'), data: v.array(Model) }));
