import { type ApiError, toApiError } from '../errors.ts';
import { serializeError } from '../telemetry/serialize-error.ts';
import { keepAwake } from './keep-awake.ts';

/** Writes data as a server-sent event. */
export const toEvent = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

/** Streams one event. */
export async function* streamOne(data: object): AsyncGenerator<string> {
  yield toEvent(data);
}

/**
 * Streams events, with comments while none come. An error becomes the last event, with the data that `toErrorData` makes of it. Calls `onEnd`
 * when nothing follows, or nobody reads any more.
 */
export function streamEvents(
  events: AsyncIterable<string>,
  toErrorData: (error: ApiError) => object,
  onEnd: () => void,
): { stream: AsyncGenerator<string>; getError: () => string | undefined } {
  let failed: ApiError | undefined;

  async function* withError(): AsyncGenerator<string> {
    try {
      yield* events;
    } catch (error) {
      failed = toApiError(error);
      if (failed.cause) console.error({ event: 'answer broke off', error: serializeError(failed) });
      yield toEvent(toErrorData(failed));
    }
  }

  return { stream: keepAwake(withError(), onEnd), getError: () => failed?.detail[0]?.type };
}
