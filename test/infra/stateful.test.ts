import { describe, expect, test } from 'vitest';
import { environments } from '../../infra/config.ts';
import { buildStacks } from '../support/stacks.ts';

/** Resource types that hold data. Queues do not: a message only names a document, which is in the bucket. */
const stateful =
  /^AWS::(DynamoDB::(Global)?Table|S3::Bucket|KMS::Key|Cognito::(UserPool|IdentityPool)|Backup::BackupVault|RDS::.*|EFS::FileSystem|SSM::Parameter|SecretsManager::Secret|ElastiCache::.*|OpenSearchService::Domain)$/;

/**
 * Logical ids of the resources that hold data. If an id changes, CloudFormation creates a new, empty resource. Never change this list
 * if an environment is deployed.
 */
const ids = {
  table: 'StorageTableB43FDCE7',
  bucket: 'StorageFiles48C02C92',
  key: 'StorageCredentialsKey2B6A8276',
  users: 'StorageUsers59A61EEB',
  backups: 'StorageBackups8B487C5A',
};

const buildPolicies = (DeletionPolicy: string, UpdateReplacePolicy: string) =>
  Object.fromEntries(Object.values(ids).map((id) => [id, { DeletionPolicy, UpdateReplacePolicy }]));
const { [ids.backups]: _, ...deleted } = buildPolicies('Delete', 'Delete');
// RetainExceptOnCreate deletes resources that a failed operation has created, because they are empty and block the next attempt.
const retained = buildPolicies('RetainExceptOnCreate', 'Retain');

const policies: Record<string, object> = { dev: deleted, staging: retained, prod: retained };

describe.each(Object.entries(environments))('the data of %s', (name, settings) => {
  const { service, storage, api, events, ingestion, monitoring } = buildStacks(name, settings);

  test('is in resources with fixed logical ids and the deletion policies of its environment', () => {
    const found = storage.resources.filter(({ Type }) => stateful.test(Type));
    const actual = found.map(({ id, DeletionPolicy, UpdateReplacePolicy }) => [
      id,
      { DeletionPolicy, UpdateReplacePolicy },
    ]);
    expect(Object.fromEntries(actual)).toEqual(policies[name]);
  });

  test('is in the root stack, which contains nothing else', () => {
    const nested = [api, events, ingestion, monitoring].flatMap(({ resources }) => resources);
    expect(nested.filter(({ Type }) => stateful.test(Type))).toEqual([]);
    const known = /^AWS::(DynamoDB|S3|KMS|Cognito|CloudFormation|Backup|IAM)::/;
    const others = storage.resources.filter(({ Type }) => !known.test(Type)).map(({ Type }) => Type);
    // The custom resource that empties the bucket before its deletion.
    expect(others).toEqual(settings.retain ? [] : ['Custom::S3AutoDeleteObjects', 'AWS::Lambda::Function']);
  });

  test('is protected from deletion if it is retained', () => {
    expect(service.terminationProtection).toBe(settings.deletionProtection);
    expect(settings.deletionProtection).toBe(settings.retain);
  });

  test('can be deleted without protection, as after a failed first deployment', () => {
    const first = buildStacks(name, { ...settings, deletionProtection: false });
    expect(first.service.terminationProtection).toBe(false);
    expect(JSON.stringify(first.storage.resources)).not.toMatch(/"DeletionProtection(Enabled)?":(true|"ACTIVE")/);
  });

  test('has a backup vault with the stack id in its name, so that it never collides with a retained one', () => {
    for (const { Properties } of storage.list<{ BackupVaultName: unknown }>('AWS::Backup::BackupVault'))
      expect(JSON.stringify(Properties.BackupVaultName)).toContain('AWS::StackId');
  });

  test('is backed up weekly for 35 days if it is retained', () => {
    const plans = storage.list<{ BackupPlan: { BackupPlanRule: object[] } }>('AWS::Backup::BackupPlan');
    const selections = storage.list<{ BackupSelection: { Resources: unknown[] } }>('AWS::Backup::BackupSelection');
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
