// Serves the API for webhooks.test.ts, which kills it: node test/chaos/webhooks-host.ts <data folder> <requests per death>
// `relay`, `deliver` and `sweep` are killed at random after one in so many of their requests, and whatever waits is due at once.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type AttributeValue, DynamoDBClient, paginateQuery, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { createGateway } from '../../infra/local/gateway/gateway.ts';
import { startEventSources } from '../../infra/local/lambda/event-sources.ts';
import type { FunctionRunner } from '../../infra/local/lambda/function-runner.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { duePartitions, formatDue, parseDueTime } from '../../shared/domain/due.ts';
import { findOwner } from '../../shared/store/table/keys.ts';
import { ProxiedRunner } from '../support/proxied-runner.ts';

const [dir = '', requestsPerDeath = ''] = process.argv.slice(2);
const ignoreLog = () => {};

/** Number of invocations in progress, and the end of the last one. */
let running = 0;
let lastEndAt = 0;

/** Counts the invocations of a function. */
function watch(runner: FunctionRunner): void {
  const invoke = runner.invoke.bind(runner);
  runner.invoke = async (...invocation) => {
    running += 1;
    try {
      return await invoke(...invocation);
    } finally {
      running -= 1;
      lastEndAt = Date.now();
    }
  };
}

const services = await startServices(dir, await synthesize());
const runners = createFunctionRunners(services, ignoreLog);
for (const [name, { spec }] of runners) {
  if (!['relay', 'deliver', 'sweep'].includes(spec.description)) continue;
  const runner = await ProxiedRunner.create(spec, ignoreLog);
  runner.proxy.decide = () =>
    Math.random() * Number(requestsPerDeath) < 1 ? { answerAfter: () => runner.kill() } : 'pass';
  watch(runner);
  runners.set(name, runner);
}
const server = createServer(createGateway(services.assembly, runners, ignoreLog));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
startEventSources(services, runners, ignoreLog);
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

const sweep = [...runners.values()].find(({ spec }) => spec.description === 'sweep');
const client = new DynamoDBClient({
  endpoint: services.endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '',
  region: 'us-east-1',
  credentials,
});
const TableName = sweep?.spec.environment.TABLE_NAME ?? '';
const past = new Date(0).toISOString();

/** Moves the times that rows wait for into the past. */
async function expireAll(): Promise<void> {
  for (const partition of duePartitions) {
    const pages = paginateQuery(
      { client },
      {
        TableName,
        IndexName: 'by-due',
        KeyConditionExpression: '#partition = :partition',
        ExpressionAttributeNames: { '#partition': 'by-due' },
        ExpressionAttributeValues: { ':partition': { S: partition } },
      },
    );
    for await (const { Items = [] } of pages)
      for (const { pk, sk, due } of Items)
        if (pk && sk && (parseDueTime(due?.S ?? '') ?? '') > past) await expire({ pk, sk }).catch(() => {}); // it no longer waits
  }
}

const expire = (Key: Record<string, AttributeValue>) =>
  client.send(
    new UpdateItemCommand({
      TableName,
      Key,
      UpdateExpression: 'SET due = :past',
      ConditionExpression: 'attribute_exists(due)',
      ExpressionAttributeValues: { ':past': { S: formatDue(findOwner(Key.pk?.S ?? '') ?? '', past) } },
    }),
  );

/** Time without an invocation, in milliseconds, after which only later times are waited for. */
const idleMs = 300;

// Time moves on when nothing is left to do, as in the hours between attempts. Otherwise everything would be sent again meanwhile.
for (;;) {
  await wait(100);
  if (running > 0 || Date.now() - lastEndAt < idleMs) continue;
  await expireAll();
  await sweep?.invoke({}).catch(() => {}); // it may be killed
}
