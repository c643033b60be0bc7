import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { toKey } from '../../infra/commands/data/deployment/row.ts';
import { eraseUserData, listUserData } from '../../infra/commands/data/eraser.ts';
import { readItems } from '../../infra/commands/data/export/export-folder.ts';
import { verifyUser } from '../../infra/commands/data/verify/verifier.ts';
import { toUserKey } from '../../shared/store/table/keys.ts';
import { createClient, createUser, deployed } from '../support/api.ts';
import { createKey } from '../support/api-keys.ts';
import { createDeployment, exportWholeUser, findStoredData } from '../support/recovery.ts';

const dir = mkdtempSync(join(tmpdir(), 'recovery-quotas-'));
afterAll(() => rmSync(dir, { recursive: true }));

const deployment = createDeployment();

describe.skipIf(deployed)('the counts of quotas', () => {
  it('pass verification, are left out of exports, and are erased', async () => {
    const user = await createUser();
    const owner = toUserKey(deployment.issuer, user.sub);
    const { body } = await createKey(user, ['write'], { quota: { uploads: 5 } });
    const worker = createClient(user.sub, body.data.secret ?? '');
    const form = { file_name: 'a.txt', content_type: 'text/plain', size_bytes: 5 };
    expect((await worker.post('/assistants/knowledge-base/uploads', form)).status).toBe(200);
    const listCounts = async () => Object.keys(await findStoredData(owner)).filter((key) => key.includes('#QUOTAS '));
    expect(await listCounts()).toHaveLength(1);

    const { inventory, faults } = await verifyUser(deployment, owner, { graceMs: 600_000, secrets: false });
    expect([inventory.rows.get('quota counts')?.length, faults]).toEqual([1, []]);

    await exportWholeUser(deployment, dir, user.sub);
    const exported: string[] = [];
    for await (const row of readItems(dir)) exported.push(toKey(row).pk);
    expect(exported).toContainEqual(expect.stringContaining('#KNOWLEDGE'));
    expect(exported.filter((pk) => pk.endsWith('#QUOTAS'))).toEqual([]);

    await eraseUserData(deployment, await listUserData(deployment, owner), () => {});
    expect(await listCounts()).toEqual([]);
  });
});
