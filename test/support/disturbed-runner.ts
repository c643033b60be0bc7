import type { SQSEvent } from 'aws-lambda';
import { FunctionRunner, type FunctionSpec } from '../../infra/local/lambda/function-runner.ts';
import type { Fault } from './faulty-proxy.ts';
import { ProxiedRunner } from './proxied-runner.ts';

/** Requests of the ingestion function to DynamoDB and S3, in this order. `remove` happens only when it cleans up. */
export type StepName = 'find' | 'get' | 'note' | 'put' | 'finish' | 'remove';

/** One request of an ingestion attempt, before it is carried out. */
export interface Step {
  name: StepName;
  /** Number of the attempt, from 1. */
  attempt: number;
  event: SQSEvent;
  /** Kills the function's process with SIGKILL. */
  kill(): Promise<unknown>;
}

/** Returns the fault for a request of a document's ingestion. */
export type Disturb = (step: Step) => Fault | Promise<Fault>;

function toStepName(operation: string): StepName {
  const names: Record<string, StepName> = {
    GetItem: 'find',
    UpdateItem: 'note',
    TransactWriteItems: 'finish',
    HEAD: 'find',
    GET: 'get',
    PUT: 'put',
    DELETE: 'remove',
    DeleteItem: 'remove',
  };
  const name = names[operation];
  if (!name) throw new Error(`Unexpected operation ${operation}: add it to toStepName`);
  return name;
}

/** Returns the id of the document in an event. */
const getDocumentId = ({ Records }: SQSEvent): string =>
  /uploads\/[^/"]+\/([^/"]+)/.exec(Records[0]?.body ?? '')?.[1] ?? '';

/** Runs the ingestion function. Tests can inject a fault into each of its requests, per document id. */
export class DisturbedRunner extends FunctionRunner {
  readonly disturbances = new Map<string, Disturb>();
  /** Steps of each attempt, by document id. */
  readonly seen = new Map<string, StepName[][]>();
  readonly #log: (chunk: Buffer) => void;
  readonly #slots: ProxiedRunner[] = [];
  readonly #free: ProxiedRunner[] = [];

  constructor(spec: FunctionSpec, log: (chunk: Buffer) => void) {
    super(spec, log);
    this.#log = log;
  }

  /** Number of started processes. */
  get startCount(): number {
    return this.#slots.reduce((sum, slot) => sum + slot.startCount, 0);
  }

  override async invoke(event: SQSEvent): Promise<unknown> {
    const slot = this.#free.pop() ?? (await this.#open());
    const id = getDocumentId(event);
    const attempt = Number(event.Records[0]?.attributes.ApproximateReceiveCount);
    const disturb = this.disturbances.get(id) ?? (() => 'pass');
    const seen: StepName[] = [];
    this.seen.set(id, [...(this.seen.get(id) ?? []), seen]);
    slot.proxy.decide = (operation) => {
      const name = toStepName(operation);
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
    const slot = await ProxiedRunner.create(this.spec, this.#log);
    this.#slots.push(slot);
    return slot;
  }
}
