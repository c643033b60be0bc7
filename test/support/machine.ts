import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startEventSources } from '../../infra/local/lambda/event-sources.ts';
import type { FunctionRunner } from '../../infra/local/lambda/function-runner.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { type Services, startServices } from '../../infra/local/services.ts';
import { buildAliasResources } from './alias-resources.ts';

/** Returns a reference of a template to the ARN of a resource. */
export const toArnReference = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

/** Reference of a template to the alias of a function, as its name and alias. */
const toAliasName = (id: string) => ({
  'Fn::Join': ['', [{ 'Fn::Select': [6, { 'Fn::Split': [':', { Ref: `${id}Live` }] }] }, ':live']],
});

/**
 * Builds the resources of the function `reader` with its alias, and of its event source. The function appends to the file `notes`
 * (variable `NOTES`).
 */
export const buildReader = (notes: string, sourceProperties: Record<string, unknown>) => ({
  Reader: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      FunctionName: 'reader',
      Description: 'reader',
      Handler: 'index.handler',
      Timeout: 2,
      MemorySize: 256,
      Environment: { Variables: { NOTES: notes } },
    },
    Metadata: { 'aws:asset:path': 'reader' },
  },
  ...buildAliasResources('Reader'),
  Source: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: { FunctionName: toAliasName('Reader'), ...sourceProperties },
  },
});

/** A started machine. */
export interface StartedMachine {
  services: Services;
  runners: Map<string, FunctionRunner>;
  /** Failures that the event sources have reported. */
  log: string[];
  /** Starts the event sources. */
  deliver(): void;
  stop(): Promise<void>;
}

/**
 * Writes a template with a stack `fake` and the source of its function `reader` into a folder. `start` starts services, functions and,
 * by `deliver`, event sources on them, as often as a test wants.
 */
export function createMachine(dir: string, buildResources: (notes: string) => object, source: string) {
  const notes = join(dir, 'notes.jsonl');
  const files: Record<string, string> = {
    'manifest.json': JSON.stringify({
      artifacts: { fake: { type: 'aws:cloudformation:stack', properties: { templateFile: 'fake.json' } } },
    }),
    'fake.json': JSON.stringify({ Resources: buildResources(notes) }),
    'reader/index.js': source,
    'package.json': '{"type":"commonjs"}',
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, 'assembly', name)), { recursive: true });
    writeFileSync(join(dir, 'assembly', name), content);
  }
  return {
    dir,
    dataDir: join(dir, 'data'),
    /** Lists what the function has noted, one object per line. */
    readNotes: <T>(): T[] =>
      existsSync(notes)
        ? readFileSync(notes, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line))
        : [],
    async start(): Promise<StartedMachine> {
      const services = await startServices(join(dir, 'data'), join(dir, 'assembly'));
      const log: string[] = [];
      const runners = createFunctionRunners(services, () => {});
      let stopSources = async () => {};
      return {
        services,
        runners,
        log,
        deliver() {
          stopSources = startEventSources(services, runners, (sentence) => log.push(sentence));
        },
        async stop() {
          const sourcesStopped = stopSources();
          await Promise.all([...runners.values()].map((runner) => runner.stop()));
          await sourcesStopped;
          await services.stop();
        },
      };
    },
  };
}
