import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Client } from './api.ts';

/** Program of the command line, as it runs from the checkout. */
const program = resolve('clients/cli/main.ts');

/** Output of a run of the command line. */
export interface CliRun {
  stdout: string;
  stderr: string;
  /** Exit code, once it has ended. */
  code: number | undefined;
}

/** Creates a temporary folder for a test. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'voice-assistants-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

export interface CliOptions {
  cwd: string;
  env?: Record<string, string>;
  input?: string;
}

/** Starts the command line in a folder, which is also its home. It ends with the test. */
export function startCli(args: string[], { cwd, env = {}, input }: CliOptions) {
  const { VA_URL: _, VA_TOKEN: __, ...inherited } = process.env;
  const child: ChildProcess = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    cwd,
    env: {
      ...inherited,
      HOME: cwd,
      XDG_CONFIG_HOME: join(cwd, '.config'),
      NODE_COMPILE_CACHE: resolve('node_modules/.compile-cache'),
      ...env,
    },
  });
  const run: CliRun = { stdout: '', stderr: '', code: undefined };
  child.stdout?.on('data', (data) => {
    run.stdout += data;
  });
  child.stderr?.on('data', (data) => {
    run.stderr += data;
  });
  if (input !== undefined) child.stdin?.end(input);
  const ended = new Promise<CliRun>((done) =>
    child.on('close', (code) => {
      run.code = code ?? -1;
      done(run);
    }),
  );
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  return { run, ended, kill: (signal: NodeJS.Signals = 'SIGKILL') => child.kill(signal) };
}

/** Runs the command line as a user of the API. */
export const runCli = (user: Client, cwd: string, ...args: string[]): Promise<CliRun> =>
  startCli(args, { cwd, env: { VA_URL: user.baseUrl, VA_TOKEN: user.token }, input: '' }).ended;
