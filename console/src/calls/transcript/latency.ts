import type { Log } from '../../api/types.ts';

/** Time that one step took before something was said. */
export interface Latency {
  /** Key of a label in strings/calls.ts. */
  part: 'model' | 'voice' | 'hearing' | 'endOfTurn' | 'whole';
  seconds: number;
}

/** Metrics of LiveKit's and ElevenLabs' workers. */
const parts: Record<string, Latency['part']> = {
  transcription_delay: 'hearing',
  end_of_turn_delay: 'endOfTurn',
  llm_node_ttft: 'model',
  convai_llm_service_ttfb: 'model',
  tts_node_ttfb: 'voice',
  convai_tts_service_ttfb: 'voice',
  e2e_latency: 'whole',
};

type Item = Record<string, unknown>;

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;

/** Returns the value of a metric: LiveKit writes a number, ElevenLabs an object with one. */
const readMetric = (value: unknown): unknown => (isItem(value) ? value.elapsed_time : value);

/** Lists the latencies that the worker measured for a turn, in processing order. */
export function listLatencies({ raw }: Pick<Log, 'raw'>): Latency[] {
  const turn = raw.conversation_turn_metrics;
  const sources = [raw.metrics, turn, isItem(turn) ? turn.metrics : undefined].filter(isItem);
  return Object.entries(parts).flatMap(([name, part]) => {
    const source = sources.find((one) => Object.hasOwn(one, name));
    const seconds = readMetric(source?.[name]);
    return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? [{ part, seconds }] : [];
  });
}
