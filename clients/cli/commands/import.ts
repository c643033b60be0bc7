import { ApiError } from '../../typescript/src/api-error.ts';
import type { Client } from '../../typescript/src/client.ts';
import { command } from '../command.ts';
import { describeApiError, isForbidden, UserError } from '../errors.ts';
import { importAgents, importOptions } from '../import/import-agents.ts';
import { connect, connectOptions } from '../login/connect.ts';
import { note, print, toLine } from '../terminal.ts';

/** Reads the names of all assistants, with their ids. Empty for a key that may not read. */
async function readNames(client: Client): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  try {
    for await (const { id, name } of client.list('/assistants', { query: { limit: 200 } })) names.set(name, id);
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
  return names;
}

export const importCommand = command({
  summary: 'Take over agents from Vapi, Retell, ElevenLabs or Dograh',
  args: 'PLATFORM',
  count: [1, 1],
  details: 'PLATFORM is vapi, retell, elevenlabs or dograh.',
  options: { ...importOptions, ...connectOptions },
  async run(args, { url, token, workspace, ...values }) {
    let client: Client | undefined;
    let names: Map<string, string> | undefined;
    const create = async (body: object): Promise<{ id: string }> => {
      try {
        client ??= (await connect({ url, token, workspace })).client;
        names ??= await readNames(client);
        const { data } = await client.POST('/assistants', { body: body as never });
        const other = names.get(data.name);
        if (other)
          note(
            toLine(
              `${data.name}: the assistant ${other} has this name already. Delete one, if you have imported it twice`,
            ),
          );
        return data;
      } catch (error) {
        throw error instanceof ApiError ? new UserError(describeApiError(error)) : error;
      }
    };
    const printError = (line: string) => note(`voice-assistants: ${line}`);
    const context = { create, print, printError, env: process.env, stdin: process.stdin };
    process.exitCode = await importAgents(args, values, context);
  },
});
