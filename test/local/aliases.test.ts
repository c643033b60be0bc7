import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { lambdaResolvers, resolveAliases } from '../../infra/local/lambda/aliases.ts';
import { Assembly } from '../../infra/local/template.ts';
import { buildAliasResources } from '../support/alias-resources.ts';

const root = mkdtempSync(join(tmpdir(), 'voice-assistants-released-'));
afterAll(() => rmSync(root, { recursive: true }));

type Resources = Record<string, { Type: string; Properties: Record<string, unknown> }>;

const buildFunction = (FunctionName: string) => ({ Type: 'AWS::Lambda::Function', Properties: { FunctionName } });

/** Creates an assembly with two functions and these resources. */
function createAssembly(resources: Resources): Assembly {
  const dir = mkdtempSync(join(root, 'assembly-'));
  const artifacts = { fake: { type: 'aws:cloudformation:stack', properties: { templateFile: 'fake.json' } } };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify({ artifacts }));
  const all = { One: buildFunction('one'), Two: buildFunction('two'), ...resources };
  writeFileSync(join(dir, 'fake.json'), JSON.stringify({ Resources: all }));
  return new Assembly(dir, lambdaResolvers);
}

const toArn = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;

it('resolves each alias to its function, through its version', () => {
  const found = resolveAliases(createAssembly({ ...buildAliasResources('One'), ...buildAliasResources('Two') }));
  expect([...found]).toEqual([
    [toArn('one:live'), 'one'],
    [toArn('two:live'), 'two'],
  ]);
});

it.each<[string, (alias: Record<string, unknown>) => void, RegExp]>([
  ['to an unknown version', (alias) => (alias.FunctionVersion = '7'), /no version 7 for .*one:live/],
  ['to another function', (alias) => (alias.FunctionName = { Ref: 'Two' }), /no version 1 for .*two:live/],
  ['to two versions', (alias) => (alias.RoutingConfig = {}), /does not support RoutingConfig/],
])('rejects an alias that leads %s', (_, change, reason) => {
  const resources: Resources = buildAliasResources('One');
  change(resources.OneLive?.Properties ?? {});
  expect(() => resolveAliases(createAssembly(resources))).toThrow(reason);
});
