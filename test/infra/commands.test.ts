import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deployed } from '../support/api.ts';
import { drawSample } from '../support/sample.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Benchmarks that start immediately and have no arguments. */
const withoutUsage = ['bench:sessions', 'bench:retrieval', 'bench:search', 'bench:chat', 'bench:ingestion'];

/** Programs of this project in package.json, with the names of their scripts. */
const programs = Object.entries(scripts).flatMap(([name, script]) => {
  const [, file] = /^node (\S+\.ts)$/.exec(script) ?? [];
  return file && !withoutUsage.includes(name) ? [{ name, file }] : [];
});

const runProgram = (file: string, ...args: string[]) =>
  spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' });

describe('a command', () => {
  it.each(drawSample(programs, 5, ({ name }) => name))('prints its usage on --help: $name', ({ name, file }) => {
    const { status, stdout, stderr } = runProgram(file, '--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^Usage: npm (run )?(-s )?${name}( .*)?\\n`));
  });

  it('prints its usage if it gets an unknown option', () => {
    const { status, stdout, stderr } = runProgram('infra/commands/data/forget.ts', '--usr', 'alice');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Unknown option '--usr'.*\nUsage: npm run forget -- /);
  });
});

describe.skipIf(deployed)('npm run synth', () => {
  it('prints the folder of the templates', () => {
    // Uses the templates of the local host, because they exist already.
    const { status, stdout } = runProgram(
      'infra/commands/synth.ts',
      '--app',
      'cdk.out/local',
      '--output',
      'cdk.out/local',
    );
    expect([status, stdout]).toEqual([0, 'Synthesized: the templates are in cdk.out/local\n']);
  });

  it('prints no folder if the synthesis fails', () => {
    const { status, stdout } = runProgram('infra/commands/synth.ts', '-c', 'env=nowhere');
    expect([status, stdout]).toEqual([1, '']);
  });
});
