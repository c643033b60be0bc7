import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { steps } from '../../../console/src/start/progress.ts';
import { buildCurl, buildEnvironment, extractCommands } from '../../../console/src/start/snippets.ts';
import { workers } from '../../../console/src/start/workers.ts';
import { routes } from '../../../shared/routes/index.ts';

const values = {
  url: 'https://api.example.com',
  assistantId: '01a1fe51-c037-770c-9f59-11bbc94cc754',
  service: 'cartesia',
};
const folder = join(import.meta.dirname, '../../../docs/workers');

test.each(steps)('the commands of step "%s" are valid shell and call existing routes', (step) => {
  const code = buildCurl(step, values);
  execFileSync('bash', ['-n', '-c', code]);
  const known = routes.map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));
  const paths = [...code.matchAll(/https:\/\/api\.example\.com(\S+)/g)].map(([, path = '']) => path);
  expect(paths).not.toEqual([]);
  for (const path of paths) expect(known.some((one) => one.test(path))).toBe(true);
  for (const [, body = ''] of code.matchAll(/-d '([^']+)'/g)) expect(() => JSON.parse(body)).not.toThrow();
});

test('fills in the URL and the assistant', () => {
  expect(buildEnvironment(values)).toContain('VOICE_ASSISTANTS_URL=https://api.example.com\n');
  expect(buildEnvironment(values)).toMatch(/ASSISTANT_ID=01a1fe51-c037-770c-9f59-11bbc94cc754$/);
});

test('shows each worker exactly as in the documentation', () => {
  const files = new Map(workers.flatMap(({ files }) => files.map(({ name, source }) => [name, source])));
  expect([...files.keys()].toSorted()).toEqual(
    readdirSync(folder)
      .filter((name) => /\.(py|ts)$/.test(name))
      .toSorted(),
  );
  for (const [name, source] of files) expect(source).toBe(readFileSync(join(folder, name), 'utf8'));
});

test('extracts the commands to install and start each worker', () => {
  const commands = workers.map(({ files }) => extractCommands(files[0]?.source ?? ''));
  expect(commands[0]).toMatch(
    /^pip install "livekit-agents\[[^\n]*\\\n {2}"livekit.*\npython livekit_worker.py console$/,
  );
  expect(commands[1]).toMatch(/^pip install "pipecat-ai\[[^\n]*\\\n {2}"pipecat.*\npython pipecat_worker.py$/);
  expect(commands[2]).toMatch(/^npm install @livekit\/rtc-node [^\n]*(\\\n {2}@livekit.*)+\nnode worker.ts start$/);
});

test('extracts nothing from text without indented lines', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string().filter((line) => !/^( \* ?)? {4}/.test(line) && !line.includes('\n'))),
      (lines) => {
        expect(extractCommands(lines.join('\n'))).toBe('');
      },
    ),
  );
});
