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
import { getSessionTime } from '../../shared/domain/session.ts';
import { countKey } from '../../shared/store/keys.ts';
import { counting } from '../../shared/store/session-count.ts';
import { Problem } from '../problem.ts';
import { type Existing, refuse, type Tally } from './existing.ts';
import { groups } from './in-parallel.ts';
import { kindOf } from './kinds.ts';
import type { Place } from './place.ts';
import { attributesOf, keyOf, lineOf, type Row } from './row.ts';
import { rowsAt } from './table.ts';

/** Rows beside what is at their keys. */
export interface Compared {
  absent: Row[];
  same: Row[];
  different: Row[];
}

const nameOf = (row: Row) => JSON.stringify(keyOf(row));

/** Compares up to a hundred rows with what is stored. */
export async function compare(place: Place, rows: Row[]): Promise<Compared> {
  const stored = new Map((await rowsAt(place, rows.map(keyOf))).map((row) => [nameOf(row), lineOf(row)]));
  const compared: Compared = { absent: [], same: [], different: [] };
  for (const row of rows) {
    const line = stored.get(nameOf(row));
    compared[line === undefined ? 'absent' : line === lineOf(row) ? 'same' : 'different'].push(row);
  }
  return compared;
}

/** Another has written a row meanwhile, or is just doing so: what is there has to be compared again. */
class Outrun extends Problem {
  constructor({ message }: Error) {
    super(`Somebody changes what is written here (${message}): wait until that is over, then run it again`);
  }
}

const whereAbsent = { ConditionExpression: 'attribute_not_exists(pk)' };

const isOutrun = (error: unknown): error is Error =>
  error instanceof ConditionalCheckFailedException ||
  error instanceof TransactionConflictException ||
  error instanceof TransactionCanceledException;

/** Sends a write. Throws Outrun. */
const write = (request: Promise<unknown>): Promise<unknown> =>
  request.catch((error) => {
    throw isOutrun(error) ? new Outrun(error) : error;
  });

/** Writes rows, each by itself and all at once. Throws Outrun where one is to be new and is not. */
async function putRows({ dynamoDb, table }: Place, rows: Row[], areNew: boolean): Promise<void> {
  const condition = areNew ? whereAbsent : {};
  const put = (row: Row) => write(dynamoDb.send(new PutItemCommand({ TableName: table, Item: row, ...condition })));
  await Promise.all(rows.map(put));
}

/** How many sessions are written in a transaction: at worst each on a day of its own, of a hundred actions in all. */
const sessionsTogether = 50;

/**
 * Writes up to fifty new sessions, and counts each on its day in the same transaction: so the counts are true whenever this
 * ends, also where sessions have been saved meanwhile. Throws Outrun.
 */
async function putSessions({ dynamoDb, table }: Place, owner: string, heads: Row[]): Promise<void> {
  const days = Map.groupBy(heads, (head) => countKey(owner, getSessionTime(keyOf(head).sk)).sk);
  const counts = [...days].map(([sk, [head, ...others]]): TransactWriteItem => {
    const expiresAt = head?.expires_at && Number(head.expires_at.N);
    const { UpdateExpression, ExpressionAttributeValues } = counting(others.length + 1, expiresAt);
    return {
      Update: {
        TableName: table,
        Key: attributesOf({ pk: countKey(owner, 0).pk, sk }),
        UpdateExpression,
        ExpressionAttributeValues: marshall(ExpressionAttributeValues),
      },
    };
  });
  const puts = heads.map((head) => ({ Put: { TableName: table, Item: head, ...whereAbsent } }));
  await write(dynamoDb.send(new TransactWriteItemsCommand({ TransactItems: [...puts, ...counts] })));
}

/** Runs an attempt, up to ten times where others are faster. */
async function untilDone(attempt: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Outrun) || tries === 10) throw error;
      await sleep(50 * tries);
    }
  }
}

/**
 * Writes rows in their order, as far as they are absent, or differ and are to be replaced. `tell` hears how many are done.
 * Throws Problem.
 */
export async function writeRows(
  place: Place,
  owner: string,
  rows: AsyncIterable<Row>,
  existing: Existing,
  tell: (count: number) => void,
): Promise<Tally> {
  const tally: Tally = { written: 0, kept: 0, same: 0 };
  let count = 0;
  for await (const group of groups(rows, sessionsTogether)) {
    let [written, kept] = [0, 0];
    await untilDone(async () => {
      const { absent, different } = await compare(place, group);
      if (different.length > 0 && existing === 'refuse') refuse(different.map((row) => keyOf(row).sk));
      const { session = [], other = [] } = Object.groupBy(absent, (row) =>
        kindOf(owner, row) === 'session' ? 'session' : 'other',
      );
      await putRows(place, other, true);
      written += other.length;
      if (session.length > 0) await putSessions(place, owner, session);
      written += session.length;
      if (existing === 'replace') {
        await putRows(place, different, false);
        written += different.length;
      } else kept = different.length;
    });
    tally.written += written;
    tally.kept += kept;
    tally.same += group.length - written - kept;
    count += group.length;
    tell(count);
  }
  return tally;
}
