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
  /** At most so many messages an event. */
  batchSize: number;
  /** At most so many events at once. */
  concurrency: number;
  /** Seconds until a message is received again that has failed so many times. At most the visibility timeout counts. */
  backoffSeconds?(failures: number): number;
  /** Whether the function's answer names the messages that failed (ReportBatchItemFailures). */
  reportsFailures: boolean;
  /** Runs the function. Where it throws, all messages of the event have failed. */
  handle(event: SQSEvent): Promise<unknown>;
  /** Gets a sentence for each failed event, and for each message that is given up. */
  log(sentence: string): void;
}

/** Seconds that double with each failure: nobody would wait for the whole visibility timeout here. */
const doubling = (failures: number): number => 2 ** (failures - 1);

/**
 * A standard queue of SQS, as far as a function that reads from it can tell: every message is handled at least once, and
 * stays until that went well. Each message is a file, so that it outlives the host; one that was being handled when the host
 * died is received again. Unlike in SQS, a failed message is back after 1 s, 2 s, 4 s and so on instead of the whole
 * visibility timeout; and messages do not expire.
 */
export class Queue {
  readonly #settings: QueueSettings;
  /** Messages to receive. Others are being handled, or come back later. */
  readonly #visible: Message[];
  readonly #handling = new Set<Promise<void>>();
  #delivery: Delivery | undefined;

  constructor(settings: QueueSettings) {
    this.#settings = settings;
    const { dir } = settings;
    mkdirSync(dir, { recursive: true });
    const kept = readdirSync(dir).filter((file) => file.endsWith('.json'));
    // Their ids sort by time.
    this.#visible = kept.sort().map((file) => JSON.parse(readFileSync(join(dir, file), 'utf8')));
  }

  /** Adds a message. It is kept when this returns. */
  send(body: string): void {
    const message: Message = { messageId: uuidv7(), body, sentAt: Date.now(), receiveCount: 0 };
    this.#keep(message);
    this.#show(message);
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

  #receive(): void {
    const delivery = this.#delivery;
    while (delivery && this.#handling.size < delivery.concurrency && this.#visible.length > 0) {
      const received = this.#visible.splice(0, delivery.batchSize);
      const batch = received.filter((message) => !this.#giveUp(message, delivery));
      if (batch.length === 0) continue;
      const handling = this.#handle(batch, delivery).finally(() => {
        this.#handling.delete(handling);
        this.#receive();
      });
      this.#handling.add(handling);
    }
  }

  /** Moves a message that has been received too often. Says whether it was one. */
  #giveUp(message: Message, { log }: Delivery): boolean {
    const { redrive } = this.#settings;
    if (!redrive || message.receiveCount < redrive.maxReceiveCount) return false;
    const file = redrive.queue.#file(message);
    renameSync(this.#file(message), file);
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
    for (const message of batch.filter((one) => !failed.includes(one))) rmSync(this.#file(message), { force: true });
    for (const message of failed) {
      const { backoffSeconds = doubling } = delivery;
      const seconds = Math.min(backoffSeconds(message.receiveCount), this.#settings.visibilityTimeout);
      setTimeout(() => this.#show(message), seconds * 1000).unref();
    }
  }
}
