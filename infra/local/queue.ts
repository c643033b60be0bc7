import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SQSEvent } from 'aws-lambda';
import { v7 as uuidv7 } from 'uuid';
import { failedOf, type Message, recordOf } from './sqs-event.ts';

export interface QueueSettings {
  arn: string;
  /** The folder that keeps the messages. Those that it has already are in the queue. */
  dir: string;
  /** Seconds after which a failed message is there again, at the latest. */
  visibilityTimeout: number;
  /** Where a message goes that is still there after `maxReceiveCount` receives; without, it comes back for ever. */
  redrive?: { queue: Queue; maxReceiveCount: number };
}

/** How the messages of a queue reach a function. */
export interface Delivery {
  /** Seconds after which a message that failed for the first time is there again. */
  retrySeconds: number;
  /** At most so many messages an event. */
  batchSize: number;
  /** At most so many events at once. */
  concurrency: number;
  /** Whether the function's answer names the messages that failed (ReportBatchItemFailures). */
  reportsFailures: boolean;
  /** Runs the function. Where it throws, all messages of the event have failed. */
  handle(event: SQSEvent): Promise<unknown>;
  /** Gets a sentence for each failed event, and for each message that is given up. */
  log(sentence: string): void;
}

/** Seconds in which a FIFO queue takes a deduplication id once. */
const deduplicationSeconds = 300;

/**
 * A queue of SQS, as far as a function that reads from it can tell: every message is handled at least once, and
 * stays until that went well. Each message is a file, so that it outlives the host; one that was being handled when the host
 * died is received again. Unlike in SQS, a failed message is back after a second, two, four and so on instead of the whole
 * visibility timeout, for which nobody would wait here; and messages do not expire. A message with a group is one of a FIFO queue
 * with deduplication: one of a group is handled at a time, in the order of sending, also while it is tried again.
 */
export class Queue {
  readonly #settings: QueueSettings;
  /** Messages to receive. Others are being handled, or come back later. */
  readonly #visible: Message[];
  readonly #handling = new Set<Promise<void>>();
  /** Groups of which a message is being handled, or comes back later. */
  readonly #held = new Set<string>();
  /** When each deduplication id was sent to a group, in milliseconds since 1970. */
  readonly #sent = new Map<string, number>();
  #delivery: Delivery | undefined;

  constructor(settings: QueueSettings) {
    this.#settings = settings;
    const { dir } = settings;
    mkdirSync(dir, { recursive: true });
    const kept = readdirSync(dir).filter((file) => file.endsWith('.json'));
    // Their ids sort by time.
    this.#visible = kept.sort().map((file) => JSON.parse(readFileSync(join(dir, file), 'utf8')));
  }

  /** Adds a message, to a group in a FIFO queue, which drops repeated ones. It is kept when this returns. Returns its id. */
  send(body: string, group?: string, deduplicationId = body): string {
    const message: Message = {
      messageId: uuidv7(),
      body,
      sentAt: Date.now(),
      receiveCount: 0,
      ...(group && { group }),
    };
    if (group && this.#isRepeated(`${group} ${deduplicationId}`)) return message.messageId;
    this.#keep(message);
    this.#show(message);
    return message.messageId;
  }

  #isRepeated(id: string): boolean {
    const now = Date.now();
    for (const [sent, at] of this.#sent) if (at + deduplicationSeconds * 1000 < now) this.#sent.delete(sent);
    if (this.#sent.has(id)) return true;
    this.#sent.set(id, now);
    return false;
  }

  /** Starts to deliver, also what comes later. */
  deliver(delivery: Delivery): void {
    this.#delivery = delivery;
    this.#receive();
  }

  /** Starts no more events, and waits for those that run. */
  async stop(): Promise<void> {
    this.#delivery = undefined;
    await Promise.all(this.#handling);
  }

  #file({ messageId }: Message): string {
    return join(this.#settings.dir, `${messageId}.json`);
  }

  #keep(message: Message): void {
    const file = this.#file(message);
    writeFileSync(`${file}.unfinished`, JSON.stringify(message, null, 2), { flush: true });
    renameSync(`${file}.unfinished`, file);
  }

  #show(message: Message): void {
    this.#visible.push(message);
    this.#receive();
  }

  /** Shows a message again, before those that were sent after it. */
  #return(message: Message): void {
    this.#release(message);
    this.#visible.unshift(message);
    this.#receive();
  }

  #receive(): void {
    const delivery = this.#delivery;
    while (delivery && this.#handling.size < delivery.concurrency && this.#visible.length > 0) {
      const received = this.#take(delivery.batchSize);
      if (received.length === 0) return;
      const batch = received.filter((message) => !this.#giveUp(message, delivery));
      if (batch.length === 0) continue;
      const handling = this.#handle(batch, delivery).finally(() => {
        this.#handling.delete(handling);
        this.#receive();
      });
      this.#handling.add(handling);
    }
  }

  /** Takes messages off the queue, at most one of a group. */
  #take(count: number): Message[] {
    const taken: Message[] = [];
    for (const message of this.#visible) {
      if (taken.length === count) break;
      if (message.group !== undefined && this.#held.has(message.group)) continue;
      if (message.group !== undefined) this.#held.add(message.group);
      taken.push(message);
    }
    for (const message of taken) this.#visible.splice(this.#visible.indexOf(message), 1);
    return taken;
  }

  #release({ group }: Message): void {
    if (group !== undefined) this.#held.delete(group);
  }

  /** Moves a message that has been received too often. Says whether it was one. */
  #giveUp(message: Message, { log }: Delivery): boolean {
    const { redrive } = this.#settings;
    if (!redrive || message.receiveCount < redrive.maxReceiveCount) return false;
    const file = redrive.queue.#file(message);
    renameSync(this.#file(message), file);
    this.#release(message);
    redrive.queue.#show(message);
    log(`After ${message.receiveCount} receives a message is given up, and kept in ${file}`);
    return true;
  }

  async #handle(batch: Message[], delivery: Delivery): Promise<void> {
    for (const message of batch) {
      message.receiveCount += 1; // kept first: it counts even if the host dies of the message
      message.firstReceivedAt ??= Date.now();
      this.#keep(message);
    }
    const failed = await delivery
      .handle({ Records: batch.map((message) => recordOf(message, this.#settings.arn)) })
      .then(
        (answer) => (delivery.reportsFailures ? failedOf(batch, answer) : []),
        (error) => {
          delivery.log(
            `The function failed (messages: ${batch.length}): ${error instanceof Error ? error.message : error}`,
          );
          return batch;
        },
      );
    for (const message of batch.filter((one) => !failed.includes(one))) {
      rmSync(this.#file(message), { force: true });
      this.#release(message);
    }
    for (const message of failed) {
      const seconds = Math.min(
        delivery.retrySeconds * 2 ** (message.receiveCount - 1),
        this.#settings.visibilityTimeout,
      );
      setTimeout(() => this.#return(message), seconds * 1000).unref();
    }
  }
}
