import type { Log } from '../../api/types.ts';

/** What took how long before something was said. */
export interface Latency {
  /** Whose: a key of strings/calls.ts. */
  part: 'model' | 'voice' | 'hearing' | 'endOfTurn' | 'whole';
  seconds: number;
}

/** The names of LiveKit's and ElevenLabs' workers. */
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

/** LiveKit writes a number, ElevenLabs an object with one. */
const measured = (value: unknown): unknown => (isItem(value) ? value.elapsed_time : value);

/** How long the parts of an answer took, where the worker has measured it. In seconds, in the order in which they come. */
export function latenciesOf({ raw }: Pick<Log, 'raw'>): Latency[] {
  const turn = raw.conversation_turn_metrics;
  const places = [raw.metrics, turn, isItem(turn) ? turn.metrics : undefined].filter(isItem);
  return Object.entries(parts).flatMap(([name, part]) => {
    const place = places.find((one) => Object.hasOwn(one, name));
    const seconds = measured(place?.[name]);
    return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? [{ part, seconds }] : [];
  });
}
