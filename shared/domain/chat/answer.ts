import { v7 as uuidv7 } from 'uuid';
import type { EventData } from '../../events.ts';
import type { ChatCompletion, ChatFacts } from '../../schemas/chat.ts';
import type { FoundPassage } from '../../schemas/knowledge-base.ts';
import type { StoredAssistant } from '../assistant.ts';
import type { Completion, Usage } from './completion.ts';
import { toUsageEntry } from './transcript.ts';

/** Fields that all pieces of one answer share. */
export const createAnswerId = (model: string) => ({
  id: `chatcmpl-${uuidv7()}`,
  model,
  created: Math.floor(Date.now() / 1000),
});

/** Replaces the model by the assistant in a vendor's completion. */
export const toCompletion = (completion: Completion, model: string, facts: ChatFacts): ChatCompletion => ({
  ...completion,
  ...createAnswerId(model),
  object: 'chat.completion',
  choices: completion.choices ?? [],
  voice_assistants: facts,
});

interface Answered {
  assistant: Pick<StoredAssistant, 'id' | 'llm'>;
  version: number | null;
}

interface AnswerFacts {
  finishReason: string;
  usage: Usage;
  steps: number;
  toolResults: ChatFacts['tool_results'];
}

/** Returns what the service did for an answer. */
export const toChatFacts = (
  { assistant, version }: Answered,
  { toolResults }: AnswerFacts,
  passages: readonly FoundPassage[],
  session_id: string | null,
): ChatFacts => ({
  assistant_id: assistant.id,
  version,
  session_id,
  tool_results: [...toolResults],
  passages: [...passages],
});

/** OpenAI's reasons. A vendor may write any text, also what the caller said, which no event may hold. */
const finishReasons = new Set(['stop', 'length', 'tool_calls', 'function_call', 'content_filter']);

/** Builds the data of the event of an answer. */
export function toCompletionData(
  { assistant, version }: Answered,
  { finishReason, usage, steps, toolResults }: AnswerFacts,
  session_id: string | null,
  duration_ms: number,
): EventData<'completion.done'> {
  const { provider, model, input_tokens, output_tokens } = toUsageEntry(
    usage,
    assistant.llm.llm_provider,
    assistant.llm.model,
  );
  return {
    assistant_id: assistant.id,
    assistant_version: version,
    session_id,
    provider,
    model,
    finish_reason: finishReasons.has(finishReason) ? finishReason : 'other',
    steps,
    tool_calls: toolResults.length,
    input_tokens,
    output_tokens,
    duration_ms,
  };
}
