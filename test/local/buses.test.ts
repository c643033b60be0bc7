import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { parseRate, startSchedules } from '../../infra/local/buses/schedules.ts';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import type { FunctionRunner } from '../../infra/local/lambda/function-runner.ts';
import type { Assembly } from '../../infra/local/template.ts';
import { deployed } from '../support/api.ts';
import { createMachine, toArnReference } from '../support/machine.ts';

const root = mkdtempSync(join(tmpdir(), 'voice-assistants-buses-'));
afterAll(() => rmSync(root, { recursive: true }));

const buildResources = () => ({
  Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'calls' } },
  Calls: { Type: 'AWS::SQS::Queue', Properties: {} },
  Default: { Type: 'AWS::SQS::Queue', Properties: {} },
  OnCall: {
    Type: 'AWS::Events::Rule',
    Properties: {
      EventBusName: { Ref: 'Bus' },
      EventPattern: { 'detail-type': [{ prefix: 'call.' }] },
      Targets: [{ Id: 'Target0', Arn: toArnReference('Calls') }],
    },
  },
  OnDefault: {
    Type: 'AWS::Events::Rule',
    Properties: {
      EventPattern: { 'detail-type': [{ prefix: 'call.' }] },
      Targets: [{ Id: 'Target0', Arn: toArnReference('Default') }],
    },
  },
});

/** Starts services with two buses, and a client that sends events to them. */
async function startBuses() {
  const machine = createMachine(mkdtempSync(join(root, 'machine-')), buildResources, '');
  const { services, stop } = await machine.start();
  const endpoint = services.endpoints.AWS_ENDPOINT_URL_EVENTBRIDGE ?? '';
  const client = new EventBridgeClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
  return {
    send: (...entries: object[]) =>
      client.send(
        new PutEventsCommand({
          Entries: entries.map((entry) => ({
            EventBusName: 'calls',
            Source: 'test',
            DetailType: 'call.completed',
            Detail: '{}',
            ...entry,
          })),
        }),
      ),
    /** Lists the events in a queue. */
    kept: (queue: string): Record<string, unknown>[] => {
      const folder = join(machine.dataDir, 'queues', `fake-${queue}`);
      return readdirSync(folder).map((file) => JSON.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')).body));
    },
    readLog: (): Record<string, unknown>[] =>
      readFileSync(join(machine.dataDir, 'logs', 'bus.log'), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    async stop() {
      client.destroy();
      await stop();
    },
  };
}

describe.skipIf(deployed)('an event bus', () => {
  it('forwards an event to the queues of its own matching rules, and the host logs it', async () => {
    const { send, kept, readLog, stop } = await startBuses();
    const Time = new Date('2026-11-22T10:00:00.000Z');
    const { Entries, FailedEntryCount } = await send(
      { Detail: '{"id":1}', Time },
      { DetailType: 'assistant.created', Detail: '{"id":2}' },
    );
    expect(FailedEntryCount).toBe(0);
    const event = {
      version: '0',
      id: Entries?.[0]?.EventId,
      'detail-type': 'call.completed',
      source: 'test',
      account: '000000000000',
      time: '2026-11-22T10:00:00Z',
      region: 'us-east-1',
      resources: [],
      detail: { id: 1 },
    };
    expect(kept('Calls')).toEqual([event]);
    expect(kept('Default')).toEqual([]);
    expect(readLog().map(({ detail }) => detail)).toEqual([{ id: 1 }, { id: 2 }]);
    await stop();
  });

  it('rejects a malformed event alone, and wrong requests as a whole', async () => {
    const { send, kept, stop } = await startBuses();
    const { FailedEntryCount, Entries } = await send({ Detail: '{"id":1}' }, { Detail: '{' });
    expect(FailedEntryCount).toBe(1);
    expect(Entries?.[1]).toEqual({ ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' });
    await expect(send({ EventBusName: 'other' })).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(send(...Array.from({ length: 11 }, () => ({})))).rejects.toMatchObject({
      name: 'ValidationException',
    });
    await expect(send({ Detail: JSON.stringify('x'.repeat(2 ** 20)) })).rejects.toThrow();
    expect(kept('Calls')).toHaveLength(1);
    await stop();
  });
});

describe('a schedule', () => {
  afterEach(() => vi.useRealTimers());

  /** Starts the schedule of a template with one rule and a function that fails. */
  function start(properties: object) {
    const rule = { stack: 'fake', Properties: { Targets: [{ Id: 'a', Arn: 'function' }], ...properties } };
    const assembly = { listResources: () => [rule], resolve: (value: unknown) => value } as unknown as Assembly;
    const invoke = vi.fn(() => Promise.reject(new Error('canary')));
    const log = vi.fn();
    const stop = startSchedules(
      assembly,
      () => ({ invoke, spec: { name: 'sweep' } }) as unknown as FunctionRunner,
      log,
    );
    return { invoke, log, stop };
  }

  it('runs its function after each period, also after a failure, until it is stopped', async () => {
    vi.useFakeTimers();
    const { invoke, log, stop } = start({ ScheduleExpression: 'rate(5 minutes)' });
    await vi.advanceTimersByTimeAsync(299_000);
    expect(invoke).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(301_000);
    expect(invoke).toHaveBeenCalledTimes(2);
    expect(log).toHaveBeenCalledWith('sweep: canary');
    await stop();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(invoke).toHaveBeenCalledTimes(2);
  });

  it('does not run if its rule is disabled', async () => {
    vi.useFakeTimers();
    const { invoke, stop } = start({ ScheduleExpression: 'rate(1 minute)', State: 'DISABLED' });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(invoke).not.toHaveBeenCalled();
    await stop();
  });

  it.each([
    ['rate(1 minute)', 60_000],
    ['rate(2 hours)', 7_200_000],
    ['rate(1 day)', 86_400_000],
  ])('%s is a period', (expression, ms) => expect(parseRate(expression)).toBe(ms));

  it.each(['cron(0 5 * * ? *)', 'rate(0 minutes)', 'rate(5 weeks)', 'rate(5)', ''])(
    '%s is not supported',
    (expression) => expect(() => parseRate(expression)).toThrow('The local host does not support the schedule'),
  );
});
