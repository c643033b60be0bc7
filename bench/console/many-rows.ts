import { v7 as uuidv7 } from 'uuid';
import type { Deployment } from '../../infra/commands/data/deployment/deployment.ts';
import { parseRow, type Row, serializeRow, toKey } from '../../infra/commands/data/deployment/row.ts';
import { queryPages } from '../../infra/commands/data/deployment/table.ts';
import { toAssistantsPrefix, toKnowledgeBasesPrefix, toSessionKey, toUserKey } from '../../shared/store/table/keys.ts';
import { putRows } from '../scale/seed.ts';

const dayMs = 86_400_000;

/** Number of days over which the copies are spread. */
const spreadDays = 60;

/** Returns the owner key of a token's user. */
function getOwner(token: string): string {
  const { iss, sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return toUserKey(iss, sub);
}

/** Yields older copies of a row, a few per day. The row's sort key must end in its id. */
function* copyRow(row: Row, count: number): Generator<Row> {
  const line = serializeRow(row);
  const id = toKey(row).sk.slice(-36);
  for (let n = 0; n < count; n++) {
    const at = Date.now() - Math.floor(n / (count / spreadDays)) * dayMs - n;
    const other = parseRow(line.replaceAll(id, uuidv7({ msecs: at })));
    yield other.created_at ? { ...other, created_at: { S: new Date(at).toISOString() } } : other;
  }
}

/**
 * Adds `count` copies of a user's assistant, document and call to the table. Writes directly to the table, because requests would take
 * an hour. Copies rows that the service has written.
 */
export async function addManyRows(place: Deployment, token: string, count: number): Promise<void> {
  const owner = getOwner(token);
  for (const { pk, prefix } of [
    toAssistantsPrefix(owner),
    toKnowledgeBasesPrefix(owner),
    { pk: toSessionKey(owner, '').pk, prefix: '' },
  ]) {
    for await (const { rows } of queryPages(place, prefix === '' ? { pk } : { pk, prefix })) {
      const [row] = rows;
      if (row) await putRows(place, copyRow(row, count), () => {});
      break;
    }
  }
}
