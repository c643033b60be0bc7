import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SQSEvent } from 'aws-lambda';
import { v7 as uuidv7 } from 'uuid';
import { removeUnfinished, replaceFile } from '../replace-file.ts';
import { listFailedMessages, type Message, toRecord } from './sqs-event.ts';

export interface QueueSettings {
  arn: string;
  /** Folder that stores the messages. The queue starts with those that it already contains. */
  dir: string;
  /** Maximum seconds until a failed message is visible again. */
  visibilityTimeout: number;
  /** True for a FIFO queue. */
  fifo?: boolean;
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

export interface SendOptions {
  group?: string | undefined;
  /** Defaults to the body. */
  deduplicationId?: string | undefined;
  /** Time until the message is visible. */
  delaySeconds?: number | undefined;
}

/** Period in which a FIFO queue accepts a deduplication id only once, in seconds. */
const deduplicationSeconds = 300;

/**
 * A queue that behaves like SQS for its consumer: it delivers every message at least once, and stores it until it succeeds. Each message
 * is a file, so that it survives the host. A message that was in progress when the host died is delivered again. Unlike in SQS, a failed
 * message returns after one second, then two, four and so on, instead of the whole visibility timeout, and messages do not expire.
 * A FIFO queue with deduplication delivers a group in order, one batch at a time, and retries failed messages before the next. Any
 * other queue is fair to its groups: it delivers messages first whose groups have the fewest in progress.
 */
export class Queue {
  readonly #settings: QueueSettings;
  /** Messages to receive. All others are in progress or waiting for a retry. */
  readonly #visible: Message[];
  readonly #running = new Set<Promise<void>>();
  /** Groups of a FIFO queue with a message in progress or waiting for a retry. */
  readonly #lockedGroups = new Set<string>();
  /** Number of messages in progress by group. */
  readonly #inProgress = new Map<string | undefined, number>();
  /** Time of the last message of each group and deduplication id, in milliseconds since 1970. */
  readonly #sentAt = new Map<string, number>();
  #delivery: Delivery | undefined;

  constructor(settings: QueueSettings) {
    this.#settings = settings;
    const { dir } = settings;
    mkdirSync(dir, { recursive: true });
    removeUnfinished(dir);
    const files = readdirSync(dir).filter((file) => file.endsWith('.json'));
    // Message ids sort by time.
    const messages = files.sort().map((file): Message => JSON.parse(readFileSync(join(dir, file), 'utf8')));
    this.#visible = messages.filter((message) => !this.#delay(message));
  }

  /** Stores a message and returns its id. A FIFO queue ignores duplicates within a group. */
  send(body: string, { group, deduplicationId = body, delaySeconds = 0 }: SendOptions = {}): string {
    const message: Message = {
      messageId: uuidv7(),
      body,
      sentAt: Date.now(),
      receiveCount: 0,
      ...(group && { group }),
      ...(delaySeconds > 0 && { visibleAt: Date.now() + delaySeconds * 1000 }),
    };
    if (this.#settings.fifo && this.#isRepeated(`${group} ${deduplicationId}`)) return message.messageId;
    this.#save(message);
    if (!this.#delay(message)) this.#enqueue(message);
    return message.messageId;
  }

  /** Hides a message until its delay is over. Returns false if it has none. */
  #delay(message: Message): boolean {
    const delayMs = (message.visibleAt ?? 0) - Date.now();
    if (delayMs <= 0) return false;
    setTimeout(() => this.#enqueue(message), delayMs).unref();
    return true;
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

  /** Takes up to `count` messages off the queue. */
  #take(count: number): Message[] {
    const taken = this.#settings.fifo ? this.#takeUnlocked(count) : this.#takeFairly(count);
    for (const message of taken) {
      this.#visible.splice(this.#visible.indexOf(message), 1);
      this.#count(message, 1);
    }
    return taken;
  }

  #takeUnlocked(count: number): Message[] {
    const isLocked = ({ group = '' }: Message) => this.#lockedGroups.has(group);
    const taken = this.#visible.filter((message) => !isLocked(message)).slice(0, count);
    for (const { group = '' } of taken) this.#lockedGroups.add(group);
    return taken;
  }

  #takeFairly(count: number): Message[] {
    const countInProgress = ({ group }: Message) => (group === undefined ? 0 : (this.#inProgress.get(group) ?? 0));
    return this.#visible.toSorted((one, other) => countInProgress(one) - countInProgress(other)).slice(0, count);
  }

  /** Changes the number of messages of a group in progress. */
  #count({ group }: Message, change: 1 | -1): void {
    const count = (this.#inProgress.get(group) ?? 0) + change;
    if (count > 0) this.#inProgress.set(group, count);
    else this.#inProgress.delete(group);
  }

  #unlock({ group = '' }: Message): void {
    this.#lockedGroups.delete(group);
  }

  /** Moves a message to the dead-letter queue if it has reached the maximum receives. Returns true if so. */
  #moveIfExhausted(message: Message, { log }: Delivery): boolean {
    const { redrive } = this.#settings;
    if (!redrive || message.receiveCount < redrive.maxReceiveCount) return false;
    const file = redrive.queue.#file(message);
    renameSync(this.#file(message), file);
    this.#unlock(message);
    this.#count(message, -1);
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
    for (const message of batch) this.#count(message, -1);
    const failedGroups = new Set(failed.map(({ group }) => group));
    for (const message of batch.filter((one) => !failed.includes(one))) {
      rmSync(this.#file(message), { force: true });
      if (!failedGroups.has(message.group)) this.#unlock(message);
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
