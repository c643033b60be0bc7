import type { CallFailure } from '../assistants/talk/call-error.ts';

/** Texts of calling an assistant from the browser. */
export const talk = {
  title: 'Talk',
  call: 'Call',
  hangUp: 'Hang up',
  mute: 'Mute',
  unmute: 'Unmute',
  save: 'Save',
  saveFirst: 'Save to call with your changes.',
  broken: 'The draft has a mistake. Fix it to call with it.',
  hint: 'Your browser will ask for the microphone. Your vendors charge for the call.',
  conversation: 'Transcript',
  empty: 'What you both say appears here, if your worker sends it.',
  speaking: 'The assistant is speaking',
  itsCalls: 'Its calls',

  state: {
    idle: '',
    connecting: 'Connecting …',
    waiting: 'Connected. The assistant is about to answer …',
    talking: 'The assistant has answered',
    reconnecting: 'The connection is interrupted …',
    ended: 'The call has ended',
    failed: '',
  },
  muted: 'Your microphone is muted',
  unanswered: (agent: string) =>
    `No worker has answered yet. Is one running with LIVEKIT_AGENT_NAME=${agent}, on the same LiveKit server?`,

  // Errors
  toCredentials: 'Go to credentials',
  noCredential: {
    title: 'There is no credential of LiveKit',
    advice:
      'Save one for the service “livekit”. Its key is JSON: {"url": "wss://…", "api_key": "…", "api_secret": "…"}. Then try again.',
  },
  brokenCredential: 'The credential of LiveKit cannot be used',
  failure: {
    blocked_microphone: () => ({
      title: 'The microphone is blocked',
      advice: 'Allow it for this page in your browser, then try again.',
    }),
    no_microphone: () => ({
      title: 'No microphone can be used',
      advice: 'Connect one, or close the program that uses it, then try again.',
    }),
    unlisted_server: (host: string) => ({
      title: `This console may not connect to ${host}`,
      advice: 'Ask the administrator of the service to add the server to console.voiceServers in infra/config.ts.',
    }),
    refused: (host: string) => ({
      title: `${host} refused the call`,
      advice: 'The key and secret of the credential “livekit” may belong to another server. Save those of this one.',
    }),
    unreachable: (host: string) => ({
      title: `${host} cannot be reached`,
      advice: 'See if the address in the credential “livekit” is right and the server runs, then try again.',
    }),
  } satisfies Record<CallFailure, (host: string) => { title: string; advice: string }>,
} as const;
