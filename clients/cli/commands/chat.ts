import { createInterface } from 'node:readline/promises';
import type { Client } from '../../typescript/src/client.ts';
import type { components } from '../../typescript/src/schema.d.ts';
import { command } from '../command.ts';
import { UsageError } from '../errors.ts';
import { findAssistantId } from '../find-assistant.ts';
import { connect, connectOptions } from '../login/connect.ts';
import { note, print, printPiece } from '../terminal.ts';

type Message = components['schemas']['ChatRequest']['messages'][number];

/** Prints an answer as it comes, and returns it. */
async function printAnswer(client: Client, model: string, messages: Message[], variables: Record<string, string>) {
  let text = '';
  const tools = new Set<string>();
  for await (const { choices } of client.streamCompletion({ model, messages, variables })) {
    const { content, tool_calls: calls } = choices[0]?.delta ?? {};
    text += content ?? '';
    printPiece(content ?? '');
    for (const call of calls ?? []) if (call.function?.name) tools.add(call.function.name);
  }
  print('');
  if (tools.size > 0) note(`The assistant called ${[...tools].join(', ')}, which only a call can do`);
  return text;
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

export const chat = command({
  summary: 'Talk to an assistant in text',
  args: 'ASSISTANT [MESSAGE]',
  count: [1, 2],
  details: 'ASSISTANT is an id, a file, or a name. Without a message, each line that you type is one. Ctrl-D ends.',
  options: {
    version: { type: 'string', value: 'VERSION', help: 'draft, live (the default) or a number' },
    variable: { type: 'string', multiple: true, value: 'NAME=VALUE', help: 'Value for a variable of the prompt' },
    ...connectOptions,
  },
  async run([assistant = '', message], { version, variable = [], ...values }) {
    const variables = parseVariables(variable);
    const { client } = await connect(values);
    const id = await findAssistantId(client, assistant);
    const model = version === undefined ? id : `${id}@${version}`;
    if (message !== undefined) {
      await printAnswer(client, model, [{ role: 'user', content: message }], variables);
      return;
    }
    const messages: Message[] = [];
    const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: process.stdin.isTTY });
    let isOpen = process.stdin.isTTY;
    lines.once('close', () => {
      isOpen = false;
    });
    const ask = () => isOpen && lines.prompt();
    ask();
    for await (const line of lines) {
      if (line.trim() !== '') {
        messages.push({ role: 'user', content: line });
        messages.push({ role: 'assistant', content: await printAnswer(client, model, messages, variables) });
      }
      ask();
    }
  },
});
