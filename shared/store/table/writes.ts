import { setTimeout as sleep } from 'node:timers/promises';
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DeleteCommandInput,
  PutCommand,
  type PutCommandInput,
  TransactWriteCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { Conflict, Unavailable } from '../../errors.ts';
import { isTransient, tryAwsCall } from './aws-call.ts';
import { convertRow } from './document-client.ts';
import { type Capacity, client, meterCapacity, type Row, TableName, tableOptions } from './table.ts';

/** One write. `toError` maps a failed condition to an error, given the stored row. */
export type Write = (
  | { Put: Omit<PutCommandInput, 'TableName'> }
  | { Update: Omit<UpdateCommandInput, 'TableName'> }
  | { Delete: Omit<DeleteCommandInput, 'TableName'> }
) & {
  toError?: (stored: Row | undefined) => Error;
  /** Client of a write that is alone. By default, one that retries. */
  client?: typeof client;
};

/** Sends a single write without a transaction, which costs half as much. */
function writeOne(write: Write) {
  const { client: sender = client } = write;
  const options = { ...tableOptions, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  if ('Put' in write) return sender.send(new PutCommand({ ...options, ...write.Put }));
  if ('Update' in write) return sender.send(new UpdateCommand({ ...options, ...write.Update }));
  return sender.send(new DeleteCommand({ ...options, ...write.Delete }));
}

/** Sends writes as a transaction. The SDK's token makes its retries idempotent. */
function writeAll(writes: Write[]) {
  const options = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const TransactItems = writes.map(({ toError: _, ...write }) => {
    const [[kind, input]] = Object.entries(write) as [[string, object]]; // others are for the caller
    return { [kind]: { ...options, ...input } };
  });
  return client.send(
    new TransactWriteCommand({ ReturnConsumedCapacity: 'TOTAL', TransactItems } as TransactWriteCommand['input']),
  );
}

/**
 * Maps a failed condition to the error of its write, and a conflict or throttling to a transient error. Else undefined.
 */
function toWriteError(writes: Write[], error: unknown): Error | undefined {
  if (error instanceof ConditionalCheckFailedException)
    return writes[0]?.toError?.(error.Item && convertRow(error.Item));
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const reasons = error.CancellationReasons ?? [];
  // Checks the last failed write first, the remembered result: a repeat of a completed request must not fail for
  // another reason.
  const failedIndex = reasons.findLastIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  if (failedIndex >= 0) {
    const stored = reasons[failedIndex]?.Item;
    return writes[failedIndex]?.toError?.(stored && convertRow(stored));
  }
  if (reasons.some(({ Code }) => Code === 'TransactionConflict')) return new TransactionConflict();
  if (reasons.some(({ Code }) => isTransient(Code))) return new Unavailable({ cause: error });
  return undefined;
}

/** Another request is writing one of the rows. */
class TransactionConflict extends Conflict {
  constructor() {
    super(['service'], 'Another request is writing the same thing: try again', 1);
  }
}

const maxConflictRetries = 4;

/** Retries a write while another request is writing one of its rows. */
async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await run();
    } catch (error) {
      const isConflict = error instanceof Error && error.name === 'TransactionConflictException';
      // DynamoDB rejects one of two concurrent writes to a row, and the SDK does not retry it.
      if (!isConflict && !(error instanceof TransactionConflict)) throw error;
      if (tries === maxConflictRetries) throw new TransactionConflict();
      await sleep(25 * 2 ** tries * (0.5 + Math.random()));
    }
  }
}

/**
 * Writes all or nothing, in one round trip. Retries while another request is writing one of the rows.
 * Throws the error of a failed condition, Conflict if the other requests do not finish, or Unavailable.
 */
export const write = (...writes: [Write, ...Write[]]): Promise<void> => retryConflicts(() => writeOnce(writes));

/** Writes all, or nothing if the condition of `first` fails. Returns true if it was written. Otherwise like `write`. */
export async function writeIf(first: Write, ...others: Write[]): Promise<boolean> {
  const failed = new Error('The condition failed');
  try {
    await write({ ...first, toError: () => failed }, ...others);
    return true;
  } catch (error) {
    if (error === failed) return false;
    throw error;
  }
}

/** Updates one row and returns it. Undefined if its condition fails. One round trip. Retries like `write`. */
export async function updateRow(update: Omit<UpdateCommandInput, 'TableName'>): Promise<Row | undefined> {
  try {
    return await retryConflicts(async () => {
      const { Attributes, ConsumedCapacity } = await tryAwsCall(() =>
        client.send(new UpdateCommand({ ...tableOptions, ...update, ReturnValues: 'ALL_NEW' })),
      );
      meterCapacity('writeUnits', ConsumedCapacity);
      return Attributes;
    });
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

async function writeOnce(writes: [Write, ...Write[]]): Promise<void> {
  try {
    const { ConsumedCapacity } = await tryAwsCall<{ ConsumedCapacity?: Capacity | Capacity[] | undefined }>(() =>
      writes.length === 1 ? writeOne(writes[0]) : writeAll(writes),
    );
    meterCapacity('writeUnits', ConsumedCapacity);
  } catch (error) {
    throw toWriteError(writes, error) ?? error;
  }
}
