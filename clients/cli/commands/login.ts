import { text } from 'node:stream/consumers';
import { commandLinePort } from '../../../shared/console-config.ts';
import { command } from '../command.ts';
import { UsageError } from '../errors.ts';
import { checkUrl, connectTo } from '../login/connect.ts';
import { getLoginPath, type SavedLogin, saveLogin } from '../login/saved-login.ts';
import { readConsoleConfig, signIn } from '../login/sign-in.ts';
import { print } from '../terminal.ts';

/** Returns a login by a token: `-` reads it from standard input, where no list of processes shows it. */
async function readToken(url: string, token: string): Promise<SavedLogin> {
  return { url: checkUrl(url), token: token === '-' ? (await text(process.stdin)).trim() : token };
}

/** Parses a port. Throws UsageError. */
function parsePort(value: string): number {
  const port = Number(value);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new UsageError('--port should be a number up to 65535');
}

export const login = command({
  summary: 'Sign in with the browser, or save an API key',
  args: 'ADDRESS',
  count: [1, 1],
  details: [
    'ADDRESS is that of the console. With --token it is that of the API: the token, or API key, is checked and saved.',
    'The login is saved in your home, readable by you only.',
  ].join('\n'),
  options: {
    token: { type: 'string', value: 'TOKEN', help: 'API key or token to save; - reads it from standard input' },
    workspace: { type: 'string', value: 'ID', help: 'Workspace to act in from now on' },
    port: { type: 'string', value: 'PORT', help: `Port to which the sign-in returns, by default ${commandLinePort}` },
    'no-browser': { type: 'boolean', help: 'Only print the address at which to sign in' },
  },
  async run([address = ''], values) {
    const port = parsePort(values.port ?? String(commandLinePort));
    const options = { port, opensBrowser: !values['no-browser'] };
    const saved =
      values.token === undefined
        ? await signIn(await readConsoleConfig(checkUrl(address)), options)
        : await readToken(address, values.token);
    const { identity } = await connectTo(saved.url, saved.token, values.workspace);
    saveLogin({ ...saved, ...(values.workspace !== undefined && { workspace: values.workspace }) });
    const place = identity.workspace === null ? '' : `, in the workspace ${identity.workspace}`;
    print(`Logged in to ${saved.url} as ${identity.user_id}${place} (${getLoginPath()})`);
  },
});
