import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SQSEvent } from 'aws-lambda';
import { v7 as uuidv7 } from 'uuid';
import { replaceFile } from '../replace-file.ts';
import { listFailedMessages, type Message, toRecord } from './sqs-event.ts';

export interface QueueSettings {
  arn: string;
  /** Folder that stores the messages. The queue starts with those that it already contains. */
  dir: string;
  /** Maximum seconds until a failed message is visible again. */
  visibilityTimeout: number;
  /** Dead-letter queue for messages received `maxReceiveCount` times. Without it, failed messages always return. */
  redrive?: { queue: Queue; maxReceiveCount: number };
}

/** Settings of the delivery from a queue to a function. */
export interface Delivery {
  /** Seconds until a message is visible again after its first failure. */
  retrySeconds: number;
  /** Maximum number of messages per event. */
  batchSize: number;
  /** Maximum number of events handled in parallel. */
  concurrency: number;
  /** True if the function's result lists the failed messages (ReportBatchItemFailures). */
  reportsFailures: boolean;
  /** Runs the function. If it throws, all messages of the event have failed. */
  handle(event: SQSEvent): Promise<unknown>;
  /** Receives a sentence for each failed event and for each dead letter. */
  log(sentence: string): void;
}

/** Period in which a FIFO queue accepts a deduplication id only once, in seconds. */
const deduplicationSeconds = 300;

/**
 * A queue that behaves like SQS for its consumer: it delivers every message at least once, and stores it until it succeeds. Each message
 * is a file, so that it survives the host. A message that was in progress when the host died is delivered again. Unlike in SQS, a failed
 * message returns after one second, then two, four and so on, instead of the whole visibility timeout, and messages do not expire.
 * Messages with a group behave as in a FIFO queue with deduplication: the queue delivers a group in order, one message at a time, and
 * retries a failed message before the next.
 */
export class Queue {
  readonly #settings: QueueSettings;
  /** Messages to receive. All others are in progress or waiting for a retry. */
  readonly #visible: Message[];
  readonly #running = new Set<Promise<void>>();
  /** Groups with a message in progress or waiting for a retry. */
  readonly #lockedGroups = new Set<string>();
  /** Time of the last message of each group and deduplication id, in milliseconds since 1970. */
  readonly #sentAt = new Map<string, number>();
  #delivery: Delivery | undefined;

  constructor(settings: QueueSettings) {
    this.#settings = settings;
    const { dir } = settings;
    mkdirSync(dir, { recursive: true });
    const files = readdirSync(dir).filter((file) => file.endsWith('.json'));
    // Message ids sort by time.
    this.#visible = files.sort().map((file) => JSON.parse(readFileSync(join(dir, file), 'utf8')));
  }

  /** Stores a message and returns its id. A FIFO queue ignores duplicates within a group. */
  send(body: string, group?: string, deduplicationId = body): string {
    const message: Message = {
      messageId: uuidv7(),
      body,
      sentAt: Date.now(),
      receiveCount: 0,
      ...(group && { group }),
    };
    if (group && this.#isRepeated(`${group} ${deduplicationId}`)) return message.messageId;
    this.#save(message);
    this.#enqueue(message);
    return message.messageId;
  }

  #isRepeated(id: string): boolean {
    const now = Date.now();
    for (const [sent, at] of this.#sentAt) if (at + deduplicationSeconds * 1000 < now) this.#sentAt.delete(sent);
    if (this.#sentAt.has(id)) return true;
    this.#sentAt.set(id, now);
    return false;
  }

  /** Starts the delivery of present and future messages. */
  deliver(delivery: Delivery): void {
    this.#delivery = delivery;
    this.#receive();
  }

  /** Stops the delivery and waits for events in progress. */
  async stop(): Promise<void> {
    this.#delivery = undefined;
    await Promise.all(this.#running);
  }

  #file({ messageId }: Message): string {
    return join(this.#settings.dir, `${messageId}.json`);
  }

  #save(message: Message): void {
    replaceFile(this.#file(message), JSON.stringify(message, null, 2));
  }

  #enqueue(message: Message): void {
    this.#visible.push(message);
    this.#receive();
  }

  /** Makes a failed message visible again, ahead of all others. */
  #requeue(message: Message): void {
    this.#unlock(message);
    this.#visible.unshift(message);
    this.#receive();
  }

  #receive(): void {
    const delivery = this.#delivery;
    while (delivery && this.#running.size < delivery.concurrency && this.#visible.length > 0) {
      const received = this.#take(delivery.batchSize);
      if (received.length === 0) return;
      const batch = received.filter((message) => !this.#moveIfExhausted(message, delivery));
      if (batch.length === 0) continue;
      const handling = this.#handle(batch, delivery).finally(() => {
        this.#running.delete(handling);
        this.#receive();
      });
      this.#running.add(handling);
    }
  }

  /** Takes up to `count` messages off the queue, at most one per group. */
  #take(count: number): Message[] {
    const taken: Message[] = [];
    for (const message of this.#visible) {
      if (taken.length === count) break;
      if (message.group !== undefined && this.#lockedGroups.has(message.group)) continue;
      if (message.group !== undefined) this.#lockedGroups.add(message.group);
      taken.push(message);
    }
    for (const message of taken) this.#visible.splice(this.#visible.indexOf(message), 1);
    return taken;
  }

  #unlock({ group }: Message): void {
    if (group !== undefined) this.#lockedGroups.delete(group);
  }

  /** Moves a message to the dead-letter queue if it has reached the maximum receives. Returns true if so. */
  #moveIfExhausted(message: Message, { log }: Delivery): boolean {
    const { redrive } = this.#settings;
    if (!redrive || message.receiveCount < redrive.maxReceiveCount) return false;
    const file = redrive.queue.#file(message);
    renameSync(this.#file(message), file);
    this.#unlock(message);
    redrive.queue.#enqueue(message);
    log(`After ${message.receiveCount} receives, a message was moved to the dead-letter queue: ${file}`);
    return true;
  }

  async #handle(batch: Message[], delivery: Delivery): Promise<void> {
    for (const message of batch) {
      message.receiveCount += 1; // saved before the delivery, so that it counts even if the message kills the host
      message.firstReceivedAt ??= Date.now();
      this.#save(message);
    }
    const failed = await delivery
      .handle({ Records: batch.map((message) => toRecord(message, this.#settings.arn)) })
      .then(
        (answer) => (delivery.reportsFailures ? listFailedMessages(batch, answer) : []),
        (error) => {
          delivery.log(
            `The function failed (messages: ${batch.length}): ${error instanceof Error ? error.message : error}`,
          );
          return batch;
        },
      );
    for (const message of batch.filter((one) => !failed.includes(one))) {
      rmSync(this.#file(message), { force: true });
      this.#unlock(message);
    }
    for (const message of failed) {
      const seconds = Math.min(
        delivery.retrySeconds * 2 ** (message.receiveCount - 1),
        this.#settings.visibilityTimeout,
      );
      setTimeout(() => this.#requeue(message), seconds * 1000).unref();
    }
  }
}
