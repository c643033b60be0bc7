import { ApiError } from '../../typescript/src/api-error.ts';
import type { Client } from '../../typescript/src/client.ts';
import { command } from '../command.ts';
import { describeApiError, UserError } from '../errors.ts';
import { importAgents, importOptions } from '../import/import-agents.ts';
import { connect, connectOptions } from '../login/connect.ts';
import { note, print } from '../terminal.ts';

export const importCommand = command({
  summary: 'Take over agents from Vapi, Retell, ElevenLabs or Dograh',
  args: 'PLATFORM',
  count: [1, 1],
  details: 'PLATFORM is vapi, retell, elevenlabs or dograh.',
  options: { ...importOptions, ...connectOptions },
  async run(args, { url, token, workspace, ...values }) {
    let client: Client | undefined;
    const create = async (body: object): Promise<{ id: string }> => {
      try {
        client ??= (await connect({ url, token, workspace })).client;
        return (await client.POST('/assistants', { body: body as never })).data;
      } catch (error) {
        throw error instanceof ApiError ? new UserError(describeApiError(error)) : error;
      }
    };
    const context = { create, print, printError: note, env: process.env, stdin: process.stdin };
    process.exitCode = await importAgents(args, values, context);
  },
});
