import { v7 as uuidv7 } from 'uuid';
import type { Place } from '../../infra/data/place.ts';
import { keyOf, lineOf, type Row, rowOf } from '../../infra/data/row.ts';
import { pagesOf } from '../../infra/data/table.ts';
import { assistantsOf, knowledgeBasesOf, sessionKey, userKey } from '../../shared/store/keys.ts';
import { putRows } from '../scale/seed.ts';

const dayMs = 86_400_000;

/** On how many days the copies were made. */
const days = 60;

/** Whose token it is, as the table names them. */
function ownerOf(token: string): string {
  const { iss, sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return userKey(iss, sub);
}

/** Copies of a row whose sort key ends in its id, older than it, a few on each day. */
function* copiesOf(row: Row, count: number): Generator<Row> {
  const line = lineOf(row);
  const id = keyOf(row).sk.slice(-36);
  for (let n = 0; n < count; n++) {
    const at = Date.now() - Math.floor(n / (count / days)) * dayMs - n;
    const other = rowOf(line.replaceAll(id, uuidv7({ msecs: at })));
    yield other.created_at ? { ...other, created_at: { S: new Date(at).toISOString() } } : other;
  }
}

/**
 * Gives a user who has an assistant, a document and a call as many more of each, straight into the table: by requests it would take
 * an hour. They are copies of what the service itself has written.
 */
export async function crowd(place: Place, token: string, count: number): Promise<void> {
  const owner = ownerOf(token);
  for (const { pk, prefix } of [
    assistantsOf(owner),
    knowledgeBasesOf(owner),
    { pk: sessionKey(owner, '').pk, prefix: '' },
  ]) {
    for await (const { rows } of pagesOf(place, prefix === '' ? { pk } : { pk, prefix })) {
      const [row] = rows;
      if (row) await putRows(place, copiesOf(row, count), () => {});
      break;
    }
  }
}
