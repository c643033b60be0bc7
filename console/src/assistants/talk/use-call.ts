import { useEffect, useRef, useState } from 'react';
import type { NewWebCall } from '../../api/types.ts';
import { ChunkLoadError } from '../../ui/loading/chunk-load-error.ts';
import type { LiveCall } from './live-call.ts';
import { prepareCall } from './queries.ts';
import { addSegment, type Segment } from './transcript.ts';

/** State of a call. */
export interface Call {
  state: 'idle' | 'connecting' | 'waiting' | 'talking' | 'reconnecting' | 'ended' | 'failed';
  /** Name of the worker that is to answer. */
  agentName: string;
  /** True if no worker has answered for a while. */
  isUnanswered: boolean;
  isAssistantSpeaking: boolean;
  isMuted: boolean;
  transcript: Segment[];
  error: unknown;
}

const idle: Call = {
  state: 'idle',
  agentName: '',
  isUnanswered: false,
  isAssistantSpeaking: false,
  isMuted: false,
  transcript: [],
  error: undefined,
};

/** Time in which a worker answers, unless none runs, in milliseconds. */
const answerMs = 15_000;

/** True while the call has the microphone. */
export const isOpen = ({ state }: Call): boolean => !['idle', 'ended', 'failed'].includes(state);

/** Loads the library of LiveKit, which nothing else needs. */
const loadLibrary = () =>
  import('./live-call.ts').catch((cause) => {
    throw new ChunkLoadError(String(cause), { cause });
  });

/** Manages a call of an assistant from this browser. */
export function useCall(assistantId: string) {
  const [call, setCall] = useState(idle);
  const running = useRef<AbortController>(undefined);
  const live = useRef<LiveCall>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const end = (control: AbortController, fields: Partial<Call>) => {
    if (running.current !== control) return;
    running.current = undefined;
    live.current = undefined;
    control.abort();
    setCall((before) => ({ ...before, isAssistantSpeaking: false, isUnanswered: false, ...fields }));
  };

  async function start(body: NewWebCall): Promise<void> {
    // The second click of a double click comes before the next render.
    if (running.current) return;
    const control = new AbortController();
    running.current = control;
    const update = (fields: Partial<Call> | ((before: Call) => Partial<Call>)) => {
      if (running.current !== control) return;
      setCall((before) => ({ ...before, ...(typeof fields === 'function' ? fields(before) : fields) }));
    };
    setCall({ ...idle, state: 'connecting' });
    let isAnswered = false;
    try {
      const { joinCall } = await loadLibrary();
      const prepared = await prepareCall(assistantId, body, control.signal);
      const listener = {
        onAnswer: () => {
          isAnswered = true;
          update({ state: 'talking', isUnanswered: false });
        },
        onHeard: (heard: Segment) => update(({ transcript }) => ({ transcript: addSegment(transcript, heard) })),
        onSpeaking: (isAssistantSpeaking: boolean) => update({ isAssistantSpeaking }),
        onReconnecting: () => update({ state: 'reconnecting' }),
        onReconnected: () => update({ state: isAnswered ? 'talking' : 'waiting' }),
        onEnd: () => end(control, { state: 'ended' }),
      };
      update({ agentName: prepared.agent_name });
      live.current = await joinCall(prepared, listener, control.signal);
      update(({ state }) => (state === 'connecting' ? { state: 'waiting' } : {}));
      setTimeout(() => update({ isUnanswered: !isAnswered }), answerMs);
    } catch (error) {
      end(control, { state: 'failed', error });
    }
  }

  return {
    call,
    start: (body: NewWebCall) => void start(body),
    hangUp: () => running.current && end(running.current, { state: 'ended' }),
    toggleMute: () => {
      const isMuted = !call.isMuted;
      const show = () => setCall((before) => ({ ...before, isMuted }));
      // What did not happen is not shown: the microphone may not be in the room yet, or be gone.
      live.current?.mute(isMuted).then(show, () => {});
    },
  };
}
