import {
  ConnectionError,
  ConnectionErrorReason,
  createLocalAudioTrack,
  type LocalAudioTrack,
  Room,
  RoomEvent,
  setLogLevel,
  Track,
} from 'livekit-client';
import type { WebCall } from '../../api/types.ts';
import { CallError } from './call-error.ts';
import type { Segment } from './transcript.ts';

/** Callbacks for the events of a call. */
export interface CallListener {
  /** A worker has joined. */
  onAnswer: () => void;
  onHeard: (segment: Segment) => void;
  /** The assistant began or stopped to speak. */
  onSpeaking: (isAssistantSpeaking: boolean) => void;
  /** The connection is gone, and may come back. */
  onReconnecting: () => void;
  onReconnected: () => void;
  /** The assistant has left, or the connection is lost. */
  onEnd: () => void;
}

/** A call that takes place. */
export interface LiveCall {
  mute: (isMuted: boolean) => Promise<unknown>;
}

setLogLevel('warn');

/** Asks for the microphone. Throws CallError. */
async function openMicrophone(): Promise<LocalAudioTrack> {
  try {
    return await createLocalAudioTrack({ echoCancellation: true, noiseSuppression: true });
  } catch (cause) {
    const isBlocked = cause instanceof DOMException && /^(NotAllowed|Security)Error$/.test(cause.name);
    throw new CallError(isBlocked ? 'blocked_microphone' : 'no_microphone', '', { cause });
  }
}

/** Converts an error of the connection. */
function toCallError(cause: unknown, url: string): CallError {
  const isRefused = cause instanceof ConnectionError && cause.reason === ConnectionErrorReason.NotAllowed;
  return new CallError(isRefused ? 'refused' : 'unreachable', new URL(url).host, { cause });
}

/** Tells the listener what happens in a room. */
function listen(room: Room, listener: CallListener): void {
  const { onAnswer, onHeard, onSpeaking, onReconnecting, onReconnected, onEnd } = listener;
  room
    .on(RoomEvent.TrackSubscribed, (track) => {
      if (track.kind === Track.Kind.Audio) track.attach();
    })
    .on(RoomEvent.TrackUnsubscribed, (track) => track.detach())
    .on(RoomEvent.ParticipantConnected, onAnswer)
    .on(RoomEvent.ParticipantDisconnected, onEnd)
    .on(RoomEvent.ActiveSpeakersChanged, (speakers) => onSpeaking(speakers.some(({ isLocal }) => !isLocal)))
    .on(RoomEvent.Reconnecting, onReconnecting)
    .on(RoomEvent.Reconnected, onReconnected);
  room.registerTextStreamHandler('lk.transcription', async (reader, { identity }) => {
    const by = identity === room.localParticipant.identity ? 'you' : 'assistant';
    const id = reader.info.attributes?.['lk.segment_id'] ?? reader.info.id;
    let text = '';
    try {
      for await (const piece of reader) {
        text += piece;
        onHeard({ id, by, text });
      }
    } catch {
      // The speaker left in the middle of a sentence: what was heard stays.
    }
  });
}

/**
 * Joins a call, until `signal` is aborted. Asks for the microphone first, so that nobody answers if it is refused. Throws CallError, or what
 * `signal` was aborted with.
 */
export async function joinCall(
  { url, token }: WebCall,
  listener: CallListener,
  signal: AbortSignal,
): Promise<LiveCall> {
  const microphone = await openMicrophone();
  const room = new Room();
  const hangUp = async () => {
    microphone.stop();
    await room.disconnect();
  };
  signal.addEventListener('abort', () => void hangUp());
  try {
    signal.throwIfAborted();
    listen(room, listener);
    await room.connect(url, token).catch((cause) => {
      throw toCallError(cause, url);
    });
    room.on(RoomEvent.Disconnected, listener.onEnd);
    if (room.remoteParticipants.size > 0) listener.onAnswer();
    await room.localParticipant.publishTrack(microphone);
  } catch (error) {
    await hangUp();
    signal.throwIfAborted();
    throw error;
  }
  return { mute: (isMuted) => (isMuted ? microphone.mute() : microphone.unmute()) };
}
