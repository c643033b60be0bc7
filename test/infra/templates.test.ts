import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { environments } from '../../infra/config.ts';
import { readable } from '../support/readable.ts';
import { build } from '../support/stacks.ts';

describe.each(Object.entries(environments))('the templates of %s', (name, settings) => {
  const { service } = build(name, settings);
  const { api, ingestion, monitoring, console, consoleFiles } = service;
  const stacks = { root: service, api, ingestion, monitoring, console, 'console-files': consoleFiles };

  test.each(Object.entries(stacks))('are as they were when somebody last looked: %s', async (part, stack) => {
    if (!stack) throw new Error('Every environment has a console');
    await expect(readable(Template.fromStack(stack).toJSON())).toMatchFileSnapshot(`templates/${name}/${part}.yaml`);
  });
});
