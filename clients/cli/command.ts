import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UsageError } from './errors.ts';

/** Option of a command: that of `parseArgs`, with its description. */
export type Option = ParseArgsOptionsConfig[string] & {
  help: string;
  /** Placeholder of its value in the help: `URL`. */
  value?: string;
};

export type Options = Record<string, Option>;

/** Values of options. */
export type Values<O extends Options> = {
  [Name in keyof O]?: O[Name] extends { type: 'boolean' }
    ? boolean
    : O[Name] extends { multiple: true }
      ? string[]
      : string;
};

/** A command, such as `assistants push`. */
export interface Command {
  /** Description in one line. */
  summary: string;
  /** Arguments in the usage: `[FOLDER]`. */
  args: string;
  /** Minimum and maximum number of arguments. */
  count: [min: number, max: number];
  options: Options;
  /** More help: examples, and what it does not do. */
  details?: string;
  run(args: string[], values: never): Promise<void>;
}

/** Defines a command. */
export const command = <const O extends Options>(
  definition: Omit<Command, 'run' | 'options'> & {
    options: O;
    run(args: string[], values: Values<O>): Promise<void>;
  },
): Command => definition as Command;

/** Formats the help of a command. */
export function formatHelp(name: string, { summary, args, options, details }: Command): string {
  const lines = Object.entries(options).map(([option, { value, help }]) => [
    `  --${option}${value ? ` ${value}` : ''}`,
    help,
  ]);
  const width = Math.max(...lines.map(([left = '']) => left.length), 8);
  return [
    `Usage: voice-assistants ${name}${args ? ` ${args}` : ''} [OPTION]…`,
    summary,
    ...(details ? ['', details] : []),
    '',
    'Options:',
    ...lines.map(([left = '', help]) => `${left.padEnd(width)}  ${help}`),
    `${'  --help'.padEnd(width)}  Show this`,
  ].join('\n');
}

/** Parses the arguments of a command. Throws UsageError. */
export function parseArguments(name: string, { options, count: [min, max] }: Command, argv: string[]) {
  const seeHelp = `see voice-assistants ${name} --help`;
  try {
    const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true, strict: true });
    if (positionals.length < min) throw new UsageError(`An argument is missing: ${seeHelp}`);
    if (positionals.length > max) throw new UsageError(`Unexpected argument ${positionals[max]}: ${seeHelp}`);
    return { values, positionals };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(`${sentence}: ${seeHelp}`);
  }
}
