import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { lambda, releasedFunctions } from '../../infra/local/released.ts';
import { Assembly } from '../../infra/local/template.ts';
import { released } from '../support/released.ts';

const root = mkdtempSync(join(tmpdir(), 'voice-assistants-released-'));
afterAll(() => rmSync(root, { recursive: true }));

type Resources = Record<string, { Type: string; Properties: Record<string, unknown> }>;

const aFunction = (FunctionName: string) => ({ Type: 'AWS::Lambda::Function', Properties: { FunctionName } });

/** An assembly of two functions and the given resources. */
function assemblyOf(resources: Resources): Assembly {
  const dir = mkdtempSync(join(root, 'assembly-'));
  const artifacts = { fake: { type: 'aws:cloudformation:stack', properties: { templateFile: 'fake.json' } } };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify({ artifacts }));
  const all = { One: aFunction('one'), Two: aFunction('two'), ...resources };
  writeFileSync(join(dir, 'fake.json'), JSON.stringify({ Resources: all }));
  return new Assembly(dir, lambda);
}

const arn = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;

it('leads from an alias by its version to the function, and from nothing else', () => {
  const found = releasedFunctions(assemblyOf({ ...released('One'), ...released('Two') }));
  expect([...found]).toEqual([
    [arn('one:live'), 'one'],
    [arn('two:live'), 'two'],
  ]);
});

it.each<[string, (alias: Record<string, unknown>) => void, RegExp]>([
  ['to no version', (alias) => (alias.FunctionVersion = '7'), /does not know version 7 of .*one:live/],
  ['to another function', (alias) => (alias.FunctionName = { Ref: 'Two' }), /does not know version 1 of .*two:live/],
  ['to two versions', (alias) => (alias.RoutingConfig = {}), /does not know RoutingConfig/],
])('refuses an alias that leads %s', (_, change, reason) => {
  const resources: Resources = released('One');
  change(resources.OneLive?.Properties ?? {});
  expect(() => releasedFunctions(assemblyOf(resources))).toThrow(reason);
});
