import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { environments } from '../../infra/config.ts';
import { readable } from '../support/readable.ts';
import { build } from '../support/stacks.ts';

describe.each(Object.entries(environments))('the templates of %s', (name, settings) => {
  const { service } = build(name, settings);
  const { api, ingestion, monitoring } = service;
  const stacks = { root: service, api, ingestion, monitoring };

  test.each(Object.entries(stacks))('are as they were when somebody last looked: %s', async (part, stack) => {
    await expect(readable(Template.fromStack(stack).toJSON())).toMatchFileSnapshot(`templates/${name}/${part}.yaml`);
  });
});
