import { type Command, formatHelp, parseArguments } from './command.ts';
import { diff } from './commands/assistants-diff.ts';
import { pull } from './commands/assistants-pull.ts';
import { push } from './commands/assistants-push.ts';
import { chat } from './commands/chat.ts';
import { importCommand } from './commands/import.ts';
import { live } from './commands/live.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { logs } from './commands/logs.ts';
import { logsTail } from './commands/logs-tail.ts';
import { publish } from './commands/publish.ts';
import { webhooksListen } from './commands/webhooks-listen.ts';
import { describeError, UsageError } from './errors.ts';
import own from './package.json' with { type: 'json' };
import { note, print, toLine } from './terminal.ts';

/** Commands by name. */
const commands: Record<string, Command> = {
  login,
  logout,
  'assistants pull': pull,
  'assistants push': push,
  'assistants diff': diff,
  publish,
  live,
  chat,
  logs,
  'logs tail': logsTail,
  'webhooks listen': webhooksListen,
  import: importCommand,
};

/** Formats the list of commands, or of those with a prefix. */
function formatOverview(prefix = ''): string {
  const found = Object.entries(commands).filter(([name]) => name.startsWith(prefix));
  const width = Math.max(...found.map(([name]) => name.length));
  const lines = found.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Usage: voice-assistants COMMAND [ARGUMENT]… [OPTION]…',
    '',
    ...lines,
    '',
    'voice-assistants COMMAND --help shows the options of a command, --version the version of this program.',
    'VA_URL and VA_TOKEN (an API key) take the place of login.',
  ].join('\n');
}

/** Runs the command that the arguments name. Throws UsageError. */
async function runCommand(argv: string[]): Promise<void> {
  const [first = '', second = ''] = argv;
  if (['', 'help', '--help', '-h'].includes(first)) return print(formatOverview());
  if (first === '--version') return print(own.version);
  const name = [`${first} ${second}`, first].find((one) => Object.hasOwn(commands, one));
  const found = name === undefined ? undefined : commands[name];
  if (name === undefined || !found) {
    const group = Object.keys(commands).filter((one) => one.startsWith(`${first} `));
    if (group.length > 0 && second === '--help') return print(formatOverview(`${first} `));
    if (group.length === 0) throw new UsageError(`There is no command ${first}: see voice-assistants --help`);
    throw new UsageError(`There is no command ${`${first} ${second}`.trim()}: write ${group.join(', ')}`);
  }
  const rest = argv.slice(name.split(' ').length);
  if (rest.includes('--help')) return print(formatHelp(name, found));
  const { values, positionals } = parseArguments(name, found, rest);
  await found.run(positionals, values as never);
}

/** First words of the commands that end when nobody reads them. Others finish what they have begun. */
const isEndedByReader = ['chat', 'logs', 'webhooks'].includes(process.argv[2] ?? '');

// A reader such as `head` may leave early. Each later write fails again.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE' && process.exitCode === undefined) {
    process.exitCode = 1;
    note(`voice-assistants: The output cannot be written: ${message}`);
  }
  if (isEndedByReader) process.exit();
});
process.stderr.on('error', () => {});

runCommand(process.argv.slice(2)).catch((error) => {
  const lines = describeError(error).split('\n');
  for (const line of lines) note(`voice-assistants: ${toLine(line)}`);
  process.exit(error instanceof UsageError ? 2 : 1);
});
