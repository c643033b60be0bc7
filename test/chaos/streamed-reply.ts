import { failures, gatewayFaults } from '../../shared/errors.ts';
import type { Reply } from '../support/api.ts';

/** Last event of a streamed answer: all of the answer, or an error in the form of the API or of OpenAI. */
interface LastEvent {
  answer?: string;
  detail?: { loc: string[]; msg: string; type: string }[];
  error?: { message: string; code: string };
}

/** Builds the reply to a request after its response broke off: the gateway's error. */
function toBrokenReply(): Reply {
  const { status, ...fault } = gatewayFaults.badGateway;
  return { status, headers: new Headers({ 'retry-after': '1' }), body: { detail: [fault] }, text: 'It broke off' };
}

/**
 * Reads a reply that may be streamed. A stream that ends with an error, or breaks off, becomes the error that an answer in one piece
 * would be.
 */
export async function readStreamedReply(reply: Promise<Reply>): Promise<Reply> {
  const read = await reply.catch(toBrokenReply);
  if (!read.headers.get('content-type')?.startsWith('text/event-stream')) return read;
  if (read.text.endsWith('data: [DONE]\n\n')) return read;
  const { answer, detail, error }: LastEvent = JSON.parse(read.text.trimEnd().split('\n\ndata: ').at(-1) ?? '{}');
  if (answer) return read;
  const faults = detail ?? [{ loc: ['service'], msg: String(error?.message), type: String(error?.code) }];
  const { status = 500 } = Object.values(failures).find(({ type }) => type === faults[0]?.type) ?? {};
  return { status, headers: new Headers({ 'retry-after': '1' }), body: { detail: faults }, text: read.text };
}
