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
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { Conflict, Unavailable } from '../errors.ts';
import { attempt, passes } from './attempt.ts';
import { answered, type Capacity, client, count, type Item, TableName } from './table.ts';

/** One write. `refused` names the error that a failed condition means, given what is stored instead. */
export type Write = (
  | { Put: Omit<PutCommandInput, 'TableName'> }
  | { Update: Omit<UpdateCommandInput, 'TableName'> }
  | { Delete: Omit<DeleteCommandInput, 'TableName'> }
) & { refused?: (stored: Item | undefined) => Error };

type Marshalled = Parameters<typeof unmarshall>[0];

const stored = (item: Marshalled | undefined) => (item ? unmarshall(item) : undefined);

/** A single write without a transaction: half the price. */
function writeOne(write: Write) {
  const options = { ...answered, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  if ('Put' in write) return client.send(new PutCommand({ ...options, ...write.Put }));
  if ('Update' in write) return client.send(new UpdateCommand({ ...options, ...write.Update }));
  return client.send(new DeleteCommand({ ...options, ...write.Delete }));
}

/** All writes or none; the SDK's token makes its repeats count once. */
function writeAll(writes: Write[]) {
  const options = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const TransactItems = writes.map(({ refused: _, ...write }) => {
    const [[kind, input]] = Object.entries(write) as [[string, object]];
    return { [kind]: { ...options, ...input } };
  });
  return client.send(
    new TransactWriteCommand({ ReturnConsumedCapacity: 'TOTAL', TransactItems } as TransactWriteCommand['input']),
  );
}

/** What a failed write means, in the words of the write that was refused; undefined where it means nothing of the sort. */
function refusal(writes: Write[], error: unknown): Error | undefined {
  if (error instanceof ConditionalCheckFailedException) return writes[0]?.refused?.(stored(error.Item));
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const reasons = error.CancellationReasons ?? [];
  // The memory of an answer stands last, and counts first: what is done already is not refused again.
  const refused = reasons.findLastIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  if (refused >= 0) return writes[refused]?.refused?.(stored(reasons[refused]?.Item));
  if (reasons.some(({ Code }) => Code === 'TransactionConflict')) return new InFlight();
  if (reasons.some(({ Code }) => passes(Code))) return new Unavailable({ cause: error });
  return undefined;
}

/** Another request holds one of the items. */
class InFlight extends Conflict {
  constructor() {
    super(['service'], 'Another request is writing the same thing: try again', 1);
  }
}

const maxConflicts = 4;

/**
 * Writes all or nothing, in one round trip.
 * Throws what `refused` says, Conflict where another request holds one of the items, or Unavailable.
 */
export async function write(...writes: [Write, ...Write[]]): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await writeOnce(writes);
    } catch (error) {
      // DynamoDB refuses one of two that touch the same item at once, and the SDK does not ask again.
      if (!(error instanceof InFlight) || tries === maxConflicts) throw error;
      await sleep(25 * 2 ** tries * (0.5 + Math.random()));
    }
  }
}

async function writeOnce(writes: [Write, ...Write[]]): Promise<void> {
  try {
    const { ConsumedCapacity } = await attempt<{ ConsumedCapacity?: Capacity | Capacity[] | undefined }>(() =>
      writes.length === 1 ? writeOne(writes[0]) : writeAll(writes),
    );
    count('writeUnits', ConsumedCapacity);
  } catch (error) {
    if (error instanceof Error && error.name === 'TransactionConflictException') throw new InFlight();
    throw refusal(writes, error) ?? error;
  }
}
