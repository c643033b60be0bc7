import type { SQSEvent } from 'aws-lambda';
import { FunctionRunner, type FunctionSpec } from '../../infra/local/function-runner.ts';
import type { Fault } from './faulty-proxy.ts';
import { ProxiedRunner } from './proxied.ts';

/** What the function that reads documents asks DynamoDB or S3 for, in this order; and `remove`, where it cleans up. */
export type StepName = 'find' | 'get' | 'note' | 'put' | 'finish' | 'remove';

/** One request of an attempt, before it is carried out. */
export interface Step {
  name: StepName;
  /** From 1. */
  attempt: number;
  event: SQSEvent;
  /** Ends the function's process by SIGKILL. */
  kill(): Promise<unknown>;
}

/** What happens to the requests of a document's attempts. */
export type Disturb = (step: Step) => Fault | Promise<Fault>;

function stepOf(operation: string, body: Buffer): StepName {
  if (operation === 'UpdateItem')
    return JSON.parse(String(body)).ExpressionAttributeValues?.[':status'] ? 'finish' : 'note';
  const names: Record<string, StepName> = {
    GetItem: 'find',
    HEAD: 'find',
    GET: 'get',
    PUT: 'put',
    DELETE: 'remove',
    DeleteItem: 'remove',
  };
  const name = names[operation];
  if (!name) throw new Error(`The function is not known to ask for ${operation}`);
  return name;
}

/** The id of the document that an event is about. */
const idIn = ({ Records }: SQSEvent): string => /uploads\/[^/"]+\/([^/"]+)/.exec(Records[0]?.body ?? '')?.[1] ?? '';

/** Runs the function that reads documents, and lets a test disturb each of its requests, told apart by the document's id. */
export class DisturbedRunner extends FunctionRunner {
  readonly disturbances = new Map<string, Disturb>();
  /** The steps of each document's attempts. */
  readonly seen = new Map<string, StepName[][]>();
  readonly #log: (chunk: Buffer) => void;
  readonly #slots: ProxiedRunner[] = [];
  readonly #free: ProxiedRunner[] = [];

  constructor(spec: FunctionSpec, log: (chunk: Buffer) => void) {
    super(spec, log);
    this.#log = log;
  }

  /** How many processes have been started. */
  get started(): number {
    return this.#slots.reduce((sum, slot) => sum + slot.started, 0);
  }

  override async invoke(event: SQSEvent): Promise<unknown> {
    const slot = this.#free.pop() ?? (await this.#open());
    const id = idIn(event);
    const attempt = Number(event.Records[0]?.attributes.ApproximateReceiveCount);
    const disturb = this.disturbances.get(id) ?? (() => 'pass');
    const seen: StepName[] = [];
    this.seen.set(id, [...(this.seen.get(id) ?? []), seen]);
    slot.proxy.decide = (operation, body) => {
      const name = stepOf(operation, body);
      seen.push(name);
      return disturb({ name, attempt, event, kill: () => slot.kill() });
    };
    try {
      return await slot.invoke(event);
    } finally {
      this.#free.push(slot);
    }
  }

  override async stop(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => slot.stop()));
  }

  async #open(): Promise<ProxiedRunner> {
    const slot = await ProxiedRunner.of(this.spec, this.#log);
    this.#slots.push(slot);
    return slot;
  }
}
