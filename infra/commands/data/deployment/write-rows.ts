import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  PutItemCommand,
  TransactionCanceledException,
  TransactionConflictException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { buildCountUpdate } from '../../../../shared/store/sessions/count.ts';
import { toCountKey, toCountsRange } from '../../../../shared/store/table/keys.ts';
import { UserError } from '../../../terminal/user-error.ts';
import { type ExistingPolicy, rejectChanges, type Tally } from '../import/existing-policy.ts';
import { toBatches } from '../in-parallel.ts';
import type { Deployment } from './deployment.ts';
import { findKind } from './kinds.ts';
import { type Row, serializeRow, toAttributes, toKey } from './row.ts';
import { getRows } from './table.ts';

/** Rows to write, compared with the table. */
export interface RowComparison {
  absent: Row[];
  same: Row[];
  different: Row[];
}

const toKeyString = (row: Row) => JSON.stringify(toKey(row));

/** Compares up to 100 rows with the table. */
export async function compareRows(deployment: Deployment, rows: Row[]): Promise<RowComparison> {
  const stored = new Map(
    (await getRows(deployment, rows.map(toKey))).map((row) => [toKeyString(row), serializeRow(row)]),
  );
  const comparison: RowComparison = { absent: [], same: [], different: [] };
  for (const row of rows) {
    const line = stored.get(toKeyString(row));
    comparison[line === undefined ? 'absent' : line === serializeRow(row) ? 'same' : 'different'].push(row);
  }
  return comparison;
}

/** Error of a concurrent write to the same rows. The rows must be compared again. */
class ConflictError extends UserError {
  constructor({ message }: Error) {
    super(`Somebody else writes the same rows (${message}): wait until they finish, then run it again`);
  }
}

const ifAbsent = { ConditionExpression: 'attribute_not_exists(pk)' };

const isConflict = (error: unknown): error is Error =>
  error instanceof ConditionalCheckFailedException ||
  error instanceof TransactionConflictException ||
  error instanceof TransactionCanceledException;

/** Waits for a write. Throws ConflictError if another write got in its way. */
const sendWrite = (request: Promise<unknown>): Promise<unknown> =>
  request.catch((error) => {
    throw isConflict(error) ? new ConflictError(error) : error;
  });

/** Writes rows in parallel. Throws ConflictError if one must be new but exists. */
async function putRows({ dynamoDb, table }: Deployment, rows: Row[], mustBeNew: boolean): Promise<void> {
  const condition = mustBeNew ? ifAbsent : {};
  const put = (row: Row) => sendWrite(dynamoDb.send(new PutItemCommand({ TableName: table, Item: row, ...condition })));
  await Promise.all(rows.map(put));
}

/**
 * Sessions per transaction. A transaction has at most 100 actions, and each session may need a second one for the count
 * of its day.
 */
const sessionBatchSize = 50;

/**
 * Writes up to 50 new sessions, and counts them by day in the same transaction. The counts stay correct if the run is
 * interrupted, and while users save sessions. Throws ConflictError.
 */
async function putSessions({ dynamoDb, table }: Deployment, owner: string, heads: Row[]): Promise<void> {
  const days = Map.groupBy(heads, (head) => toCountKey(owner, toKey(head).sk).sk);
  const counts = [...days].map(([sk, [head, ...others]]): TransactWriteItem => {
    const expiresAt = head?.expires_at && Number(head.expires_at.N);
    const { UpdateExpression, ExpressionAttributeValues } = buildCountUpdate(others.length + 1, expiresAt);
    return {
      Update: {
        TableName: table,
        Key: toAttributes({ pk: toCountsRange(owner, 0).pk, sk }),
        UpdateExpression,
        ExpressionAttributeValues: marshall(ExpressionAttributeValues),
      },
    };
  });
  const puts = heads.map((head) => ({ Put: { TableName: table, Item: head, ...ifAbsent } }));
  await sendWrite(dynamoDb.send(new TransactWriteItemsCommand({ TransactItems: [...puts, ...counts] })));
}

/** Retries an operation up to ten times on ConflictError. */
async function retryOnConflict(attempt: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ConflictError) || tries === 10) throw error;
      await sleep(50 * tries);
    }
  }
}

export interface WriteListeners {
  /** Called with the number of rows done. */
  onProgress: (count: number) => void;
  /** Called with rows before they are written, and awaited. */
  beforeWrite: (rows: Row[]) => Promise<void>;
  /** Called with each row that is now in the table as it is here. */
  onStored: (row: Row, isWritten: boolean) => void;
}

/** True for a delivery, which the service makes anew when it tells an imported event before the import has come to its deliveries. */
export const isRemade = (owner: string, row: Row): boolean => findKind(owner, row) === 'delivery';

/**
 * Writes rows in order, unless they exist and are equal or the policy keeps them. Keeps deliveries that exist, unless it is to replace.
 * Throws UserError.
 */
export async function writeRows(
  deployment: Deployment,
  owner: string,
  rows: AsyncIterable<Row>,
  existing: ExistingPolicy,
  { onProgress, beforeWrite, onStored }: WriteListeners,
): Promise<Tally> {
  const tally: Tally = { written: 0, kept: 0, same: 0 };
  let count = 0;
  for await (const batch of toBatches(rows, sessionBatchSize)) {
    const written = new Set<Row>(); // also by an attempt that wrote some rows before it failed
    let kept: Row[] = [];
    await retryOnConflict(async () => {
      const { absent, different } = await compareRows(deployment, batch);
      const changed = different.filter((row) => !isRemade(owner, row));
      if (changed.length > 0 && existing === 'refuse') rejectChanges(changed.map((row) => toKey(row).sk));
      const replaced = existing === 'replace' ? different : [];
      kept = existing === 'replace' ? [] : different;
      for (const row of [...absent, ...replaced]) written.add(row);
      await beforeWrite([...absent, ...replaced]);
      const { session = [], other = [] } = Object.groupBy(absent, (row) =>
        findKind(owner, row) === 'session' ? 'session' : 'other',
      );
      await putRows(deployment, other, true);
      if (session.length > 0) await putSessions(deployment, owner, session);
      await putRows(deployment, replaced, false);
    });
    for (const row of kept) written.delete(row);
    for (const row of batch) if (!kept.includes(row)) onStored(row, written.has(row));
    tally.written += written.size;
    tally.kept += kept.length;
    tally.same += batch.length - written.size - kept.length;
    count += batch.length;
    onProgress(count);
  }
  return tally;
}
