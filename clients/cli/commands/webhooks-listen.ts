import { buildBody } from '../../../shared/domain/delivery.ts';
import { findNearMiss } from '../../../shared/domain/near-miss.ts';
import { generateWebhookSecret, parseWebhookSecret, sign } from '../../../shared/domain/signature.ts';
import { derivedEventTypes } from '../../../shared/events.ts';
import type { JournalEvent } from '../../../shared/schemas/event.ts';
import { subscriptions } from '../../../shared/schemas/webhook.ts';
import { command } from '../command.ts';
import { UsageError } from '../errors.ts';
import { followEvents } from '../follow-events.ts';
import { connect, connectOptions } from '../login/connect.ts';
import { note, print, toLine } from '../terminal.ts';

/** Time that the receiver has, in milliseconds: that of a webhook. */
const timeoutMs = 15_000;

/** Throws UsageError unless it is an address of this machine. */
function checkReceiver(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) && /^https?:$/.test(url.protocol);
  if (isLocal) return text;
  throw new UsageError(`${text} is no address of this machine: write it as in http://localhost:4001/hook`);
}

/** True if two types or patterns are of the same subject, such as `call`. */
const haveOneSubject = (one: string, other: string) => one.split('.', 1)[0] === other.split('.', 1)[0];

/** Types that the journal holds, with their patterns. */
const types = subscriptions.filter((one) => !Object.keys(derivedEventTypes).some((type) => haveOneSubject(one, type)));

/** Throws UsageError unless an event could have this type. Names the types that may be meant. */
function checkType(type: string): void {
  if (types.includes(type)) return;
  const ofSubject = types.filter((one) => haveOneSubject(one, type));
  const meant = findNearMiss(type, types);
  const near =
    meant !== undefined ? [meant] : ofSubject.length > 0 ? ofSubject : types.filter((one) => one.endsWith('*'));
  throw new UsageError(`--events ${type} is no type of event: write ${near.join(', ')}`);
}

/** True if a webhook with these types would get an event. */
const isWanted = ({ type, subject }: JournalEvent, wanted: string[]) =>
  wanted.some((one) => one === type || one === `${subject.type}.*` || (one === '*' && type !== 'credential.leased'));

/** Sends an event as a webhook would, and returns what became of it. */
async function send(url: string, key: string, event: JournalEvent): Promise<string> {
  const body = buildBody(event);
  const headers = { 'content-type': 'application/json', ...sign([{ key }], event.id, Date.now(), body) };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel();
    return `answered ${response.status}`;
  } catch {
    return 'no answer: does your server run?';
  }
}

export const webhooksListen = command({
  summary: 'Send events to a server on your machine, signed as a webhook does',
  args: 'ADDRESS',
  count: [1, 1],
  details: [
    'Example: webhooks listen http://localhost:4001/hook --events "call.*". It reads the events from now on, so it needs no tunnel and',
    'no webhook. Each is sent once. Ctrl-C ends. An API key needs the scope events.',
  ].join('\n'),
  options: {
    events: {
      type: 'string',
      multiple: true,
      value: 'TYPE',
      help: 'Type, all of a subject ("call.*") or all ("*", the default)',
    },
    secret: { type: 'string', value: 'SECRET', help: 'Secret to sign with, by default a new one' },
    ...connectOptions,
  },
  async run([address = ''], { events: wanted = ['*'], secret = generateWebhookSecret(), ...values }) {
    const url = checkReceiver(address);
    wanted.forEach(checkType);
    const { key } = parseWebhookSecret(secret);
    if (key === '') throw new UsageError('--secret is empty: leave it out to get a new one');
    const { client } = await connect(values);
    note(`Secret: ${secret}`);
    const events = followEvents(client, () => note(`Sending events to ${url} (Ctrl-C ends)`));
    for await (const event of events as AsyncIterable<JournalEvent>)
      if (isWanted(event, wanted)) print(toLine(`${event.created_at} ${event.type} ${await send(url, key, event)}`));
  },
});
