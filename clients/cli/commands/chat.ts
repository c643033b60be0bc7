import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import type { StoredAssistant } from '../../../shared/domain/assistant.ts';
import { renderForCall } from '../../../shared/domain/tools/rendering.ts';
import { Invalid } from '../../../shared/errors.ts';
import { ApiError } from '../../typescript/src/api-error.ts';
import type { Client } from '../../typescript/src/client.ts';
import type { components } from '../../typescript/src/schema.d.ts';
import { command } from '../command.ts';
import { describeApiError, isForbidden, UsageError } from '../errors.ts';
import { findAssistantId } from '../find-assistant.ts';
import { connect, connectOptions } from '../login/connect.ts';
import { note, print, printPiece, toLine } from '../terminal.ts';

type Message = components['schemas']['ChatRequest']['messages'][number];

/** A conversation: the assistant with its version, and what every turn sends. */
interface Conversation {
  client: Client;
  model: string;
  variables: Record<string, string>;
  /** Set if the conversation is saved. */
  session_id?: string;
}

/** Prints an answer as it comes, and returns it. */
async function printAnswer({ client, ...body }: Conversation, messages: Message[]) {
  let text = '';
  const tools = new Set<string>();
  try {
    for await (const { choices } of client.streamCompletion({ ...body, messages })) {
      const { content, tool_calls: calls } = choices[0]?.delta ?? {};
      text += content ?? '';
      printPiece(content ?? '');
      for (const call of calls ?? []) if (call.function?.name) tools.add(call.function.name);
    }
  } finally {
    if (text !== '') print('');
  }
  if (tools.size > 0) note(`The assistant called ${[...tools].join(', ')}, which only a call can do`);
  return text;
}

/**
 * Begins a conversation as the service would: with the greeting of the assistant, from the one version that all turns get. Each turn sends
 * the greeting with the other messages, because the service adds it to the first turn only.
 */
async function begin(conversation: Conversation, assistant_id: string, version = 'live') {
  const { client, variables } = conversation;
  const params = { path: { assistant_id, version } };
  const read = await client.GET('/assistants/{assistant_id}/versions/{version}', { params }).catch((error) => {
    if (isForbidden(error)) return undefined; // a key may chat without reading assistants
    throw error;
  });
  if (!read) return { conversation, messages: [] };
  const { assistant, version: number } = read.data.data;
  const rendered = await renderForCall(assistant as StoredAssistant, [], { call: {}, variables }).catch((error) => {
    if (error instanceof Invalid) return undefined; // the first turn tells it
    throw error;
  });
  const first_message = rendered?.first_message;
  const messages: Message[] = first_message ? [{ role: 'assistant', content: first_message }] : [];
  if (first_message) print(first_message);
  return { conversation: { ...conversation, model: `${assistant_id}@${number ?? 'draft'}` }, messages };
}

/** Parses `name=value`. Throws UsageError. */
function parseVariables(given: string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((one) => {
      const at = one.indexOf('=');
      if (at < 1) throw new UsageError(`--variable ${one} should be NAME=VALUE`);
      return [one.slice(0, at), one.slice(at + 1)];
    }),
  );
}

/** Throws UsageError unless it names a version. */
function checkVersion(version = 'live'): void {
  if (!/^(?:live|draft|[1-9]\d{0,5})$/.test(version))
    throw new UsageError(`--version ${version} should be draft, live or a number`);
}

export const chat = command({
  summary: 'Talk to an assistant in text',
  args: 'ASSISTANT [MESSAGE]',
  count: [1, 2],
  details: [
    'ASSISTANT is an id, a file, or a name. Without a message, each line that you type is one. Ctrl-D ends. Nothing is saved without',
    '--store.',
  ].join('\n'),
  options: {
    version: { type: 'string', value: 'VERSION', help: 'draft, live (the default) or a number' },
    variable: { type: 'string', multiple: true, value: 'NAME=VALUE', help: 'Value for a variable of the prompt' },
    store: { type: 'boolean', help: 'Save the conversation among your calls: logs lists it' },
    ...connectOptions,
  },
  async run([assistant = '', message], { version, variable = [], store = false, ...values }) {
    checkVersion(version);
    const variables = parseVariables(variable);
    const { client } = await connect(values);
    const id = await findAssistantId(client, assistant);
    const model = version === undefined ? id : `${id}@${version}`;
    const asked: Conversation = { client, model, variables, ...(store && { session_id: randomUUID() }) };
    if (message !== undefined) {
      await printAnswer(asked, [{ role: 'user', content: message }]);
      return;
    }
    const { conversation, messages } = await begin(asked, id, version);
    const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: process.stdin.isTTY });
    let isOpen = process.stdin.isTTY;
    lines.once('close', () => {
      isOpen = false;
    });
    const ask = () => isOpen && lines.prompt();
    ask();
    for await (const line of lines) {
      if (line.trim() !== '') {
        const question: Message = { role: 'user', content: line };
        try {
          const content = await printAnswer(conversation, [...messages, question]);
          messages.push(question, { role: 'assistant', content });
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          note(`voice-assistants: ${toLine(describeApiError(error))}`);
          process.exitCode = 1;
        }
      }
      ask();
    }
  },
});
