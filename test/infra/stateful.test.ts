import { describe, expect, test } from 'vitest';
import { environments } from '../../infra/config.ts';
import { build } from '../support/stacks.ts';

/** What holds data. (Queues do not: a message only names a document, which is in the bucket.) */
const stateful =
  /^AWS::(DynamoDB::(Global)?Table|S3::Bucket|KMS::Key|Cognito::(UserPool|IdentityPool)|Backup::BackupVault|RDS::.*|EFS::FileSystem|SSM::Parameter|SecretsManager::Secret|ElastiCache::.*|OpenSearchService::Domain)$/;

/**
 * The logical ids of what holds data. CloudFormation knows a resource by it: under another one the table would be made anew,
 * empty, beside the old one. So a change here is never right where an environment is deployed.
 */
const ids = {
  table: 'StorageTableB43FDCE7',
  bucket: 'StorageFiles48C02C92',
  key: 'StorageCredentialsKey2B6A8276',
  users: 'StorageUsers59A61EEB',
  backups: 'StorageBackups8B487C5A',
};

const policiesOfAll = (DeletionPolicy: string, UpdateReplacePolicy: string) =>
  Object.fromEntries(Object.values(ids).map((id) => [id, { DeletionPolicy, UpdateReplacePolicy }]));
const { [ids.backups]: _, ...whereNotRetained } = policiesOfAll('Delete', 'Delete');
// Stays, but for what an operation that fails has itself made: it is empty, and in the way of the next attempt.
const whereRetained = policiesOfAll('RetainExceptOnCreate', 'Retain');

const policies: Record<string, object> = { dev: whereNotRetained, staging: whereRetained, prod: whereRetained };

describe.each(Object.entries(environments))('what holds data in %s', (name, settings) => {
  const { service, storage, api, ingestion, monitoring } = build(name, settings);

  test('is these resources, by these logical ids, and stays or goes with the stack', () => {
    const found = storage.resources.filter(({ Type }) => stateful.test(Type));
    const told = found.map(({ id, DeletionPolicy, UpdateReplacePolicy }) => [
      id,
      { DeletionPolicy, UpdateReplacePolicy },
    ]);
    expect(Object.fromEntries(told)).toEqual(policies[name]);
  });

  test('is in no nested stack, and in the root is nothing that serves', () => {
    const nested = [api, ingestion, monitoring].flatMap(({ resources }) => resources);
    expect(nested.filter(({ Type }) => stateful.test(Type))).toEqual([]);
    const known = /^AWS::(DynamoDB|S3|KMS|Cognito|CloudFormation|Backup|IAM)::/;
    const others = storage.resources.filter(({ Type }) => !known.test(Type)).map(({ Type }) => Type);
    // What empties the bucket when it goes.
    expect(others).toEqual(settings.retain ? [] : ['Custom::S3AutoDeleteObjects', 'AWS::Lambda::Function']);
  });

  test('cannot be deleted by accident where it is protected', () => {
    expect(service.terminationProtection).toBe(settings.deletionProtection);
    expect(settings.deletionProtection).toBe(settings.retain);
  });

  test('can be deleted after a first deployment without protection that fails', () => {
    const first = build(name, { ...settings, deletionProtection: false });
    expect(first.service.terminationProtection).toBe(false);
    expect(JSON.stringify(first.storage.resources)).not.toMatch(/"DeletionProtection(Enabled)?":(true|"ACTIVE")/);
  });

  test('is in a vault whose name no earlier stack has left behind', () => {
    for (const { Properties } of storage.all<{ BackupVaultName: unknown }>('AWS::Backup::BackupVault'))
      expect(JSON.stringify(Properties.BackupVaultName)).toContain('AWS::StackId');
  });

  test('is backed up weekly, and kept 35 days, where it is retained', () => {
    const plans = storage.all<{ BackupPlan: { BackupPlanRule: object[] } }>('AWS::Backup::BackupPlan');
    const selections = storage.all<{ BackupSelection: { Resources: unknown[] } }>('AWS::Backup::BackupSelection');
    if (!settings.retain) return expect([...plans, ...selections]).toEqual([]);
    expect(plans.map(({ Properties }) => Properties.BackupPlan.BackupPlanRule)).toEqual([
      [
        expect.objectContaining({
          ScheduleExpression: 'cron(0 5 ? * SUN *)',
          Lifecycle: { DeleteAfterDays: 35 },
          TargetBackupVault: { 'Fn::GetAtt': [ids.backups, 'BackupVaultName'] },
        }),
      ],
    ]);
    expect(selections.map(({ Properties }) => Properties.BackupSelection.Resources)).toEqual([
      [{ 'Fn::GetAtt': [ids.table, 'Arn'] }],
    ]);
  });
});
