import { readPieces } from '../../../../clients/typescript/src/completion.ts';
import { type Chunk, type FunctionCall, StepBuilder } from '../../../../shared/domain/chat/completion.ts';
import type { ChatFacts, FoundPassage, ToolResult } from '../../api/types.ts';

/** An answer as far as it has come. */
export interface Answer {
  text: string;
  /** Calls of tools that the service ran. */
  results: ToolResult[];
  /** Calls of tools that only a worker can run. */
  calls: FunctionCall[];
  passages: FoundPassage[];
  /** Number of the version that answered, null for the draft. Undefined until the answer is complete. */
  version?: number | null;
  /** Id of the stored conversation. Undefined until the answer is complete. */
  sessionId?: string | null;
  tokens?: number;
  /** Milliseconds until the first text. */
  firstMs?: number;
  /** Milliseconds until the last piece. */
  ms: number;
}

/** A piece of the stream: OpenAI's, with a tool that ran, or what the service did for the answer. */
interface Piece extends Omit<Chunk, 'error'> {
  voice_assistants?: { tool: ToolResult } | ChatFacts;
}

/** Adds what the service tells of an answer. */
function addFacts(answer: Answer, facts: Piece['voice_assistants']): Answer {
  if (!facts) return answer;
  if ('tool' in facts) return { ...answer, results: [...answer.results, facts.tool] };
  const { tool_results: results, passages, version, session_id: sessionId } = facts;
  return { ...answer, results, passages, version, sessionId };
}

/**
 * Yields the answer with each event of its stream. `getMs` returns the milliseconds since the question. Throws ApiError
 * if the service tells an error, or the stream ends too early.
 */
export async function* readAnswer(events: AsyncIterable<string>, getMs: () => number): AsyncGenerator<Answer> {
  const builder = new StepBuilder();
  let answer: Answer = { text: '', results: [], calls: [], passages: [], ms: 0 };
  for await (const { voice_assistants, ...chunk } of readPieces<Piece>(events)) {
    builder.add(chunk);
    const { text, calls, usage } = builder.build();
    const ms = getMs();
    answer = {
      ...addFacts(answer, voice_assistants),
      text: text ?? '',
      calls,
      ms,
      ...(answer.firstMs === undefined && text && { firstMs: ms }),
      ...(typeof usage.total_tokens === 'number' && { tokens: usage.total_tokens }),
    };
    yield answer;
  }
}
