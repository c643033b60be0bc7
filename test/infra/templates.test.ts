import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { getSettings } from '../../infra/config.ts';
import { toReadable } from '../support/readable-template.ts';
import { buildStacks } from '../support/stacks.ts';

describe('the templates of prod', () => {
  const { service } = buildStacks('prod', getSettings('prod'));
  const { api, events, ingestion, monitoring, console, consoleFiles } = service;
  const {
    Webhooks: webhooks,
    Usage: usage,
    Versions: versions,
    Conversations: conversations,
    Jobs: jobs,
  } = service.routeStacks;
  const stacks = {
    ...{ root: service, api, events, webhooks, usage, versions, conversations, jobs, ingestion, monitoring, console },
    'console-files': consoleFiles,
  };

  test.each(Object.entries(stacks))('match their reviewed snapshot: %s', async (part, stack) => {
    if (!stack) throw new Error('prod has a console');
    await expect(toReadable(Template.fromStack(stack).toJSON())).toMatchFileSnapshot(`templates/${part}.yaml`);
  });
});
