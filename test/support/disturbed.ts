import type { SQSEvent } from 'aws-lambda';
import { FunctionRunner, type FunctionSpec } from '../../infra/local/function-runner.ts';
import { type Fault, type FaultyProxy, faultyProxy } from './faulty-proxy.ts';

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
    GET: 'get',
    PUT: 'put',
    DELETE: 'remove',
    DeleteItem: 'remove',
  };
  const name = names[operation];
  if (!name) throw new Error(`The function is not known to ask for ${operation}`);
  return name;
}

/** A process of the function, and the proxies that are its only way to DynamoDB and S3. */
interface Slot {
  proxies: FaultyProxy[];
  runner: FunctionRunner;
}

/** The id of the document that an event is about. */
const idIn = ({ Records }: SQSEvent): string => /uploads\/[^/"]+\/([^/"]+)/.exec(Records[0]?.body ?? '')?.[1] ?? '';

/** Runs the function that reads documents, and lets a test disturb each of its requests, told apart by the document's id. */
export class DisturbedRunner extends FunctionRunner {
  readonly disturbances = new Map<string, Disturb>();
  /** The steps of each document's attempts. */
  readonly seen = new Map<string, StepName[][]>();
  readonly #log: (chunk: Buffer) => void;
  readonly #slots: Slot[] = [];
  readonly #free: Slot[] = [];
  /** How many processes have been started. */
  started = 0;

  constructor(spec: FunctionSpec, log: (chunk: Buffer) => void) {
    super(spec, log);
    this.#log = log;
  }

  override async invoke(event: SQSEvent): Promise<unknown> {
    const slot = this.#free.pop() ?? (await this.#open());
    const { runner } = slot;
    const id = idIn(event);
    const attempt = Number(event.Records[0]?.attributes.ApproximateReceiveCount);
    const disturb = this.disturbances.get(id) ?? (() => 'pass');
    const seen: StepName[] = [];
    this.seen.set(id, [...(this.seen.get(id) ?? []), seen]);
    const kill = async () => {
      slot.runner = this.#runner(slot.proxies);
      await runner.stop();
    };
    for (const proxy of slot.proxies) {
      proxy.decide = (operation, body) => {
        const name = stepOf(operation, body);
        seen.push(name);
        return disturb({ name, attempt, event, kill });
      };
    }
    try {
      return await runner.invoke(event);
    } finally {
      this.#free.push(slot);
    }
  }

  override async stop(): Promise<void> {
    await Promise.all(this.#slots.map(({ runner }) => runner.stop()));
    for (const proxy of this.#slots.flatMap(({ proxies }) => proxies)) proxy.stop();
  }

  async #open(): Promise<Slot> {
    const { AWS_ENDPOINT_URL_DYNAMODB = '', AWS_ENDPOINT_URL_S3 = '' } = this.spec.environment;
    const proxies = [await faultyProxy(AWS_ENDPOINT_URL_DYNAMODB), await faultyProxy(AWS_ENDPOINT_URL_S3)];
    const slot = { proxies, runner: this.#runner(proxies) };
    this.#slots.push(slot);
    return slot;
  }

  #runner([dynamoDb, s3]: FaultyProxy[]): FunctionRunner {
    this.started += 1;
    const endpoints = { AWS_ENDPOINT_URL_DYNAMODB: dynamoDb?.url ?? '', AWS_ENDPOINT_URL_S3: s3?.url ?? '' };
    return new FunctionRunner({ ...this.spec, environment: { ...this.spec.environment, ...endpoints } }, this.#log);
  }
}
