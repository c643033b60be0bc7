/** Why a call failed in the browser, or on the way to the server of LiveKit. */
export type CallFailure = 'blocked_microphone' | 'no_microphone' | 'unlisted_server' | 'refused' | 'unreachable';

/** A call that failed outside of the API. */
export class CallError extends Error {
  readonly failure: CallFailure;
  /** Host of the server, or empty if the call did not get there. */
  readonly host: string;

  constructor(failure: CallFailure, host = '', options?: ErrorOptions) {
    super(failure, options);
    this.failure = failure;
    this.host = host;
  }
}
