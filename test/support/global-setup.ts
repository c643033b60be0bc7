import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startHost } from '../../infra/local/host.ts';
import { reportPermissions } from './permissions-report.ts';

/** Starts the local host for the whole run, unless `BASE_URL` names a deployed stack. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { cases, seed, leftOut } = project.getProvidedContext();
  if (cases !== 'all')
    console.log(
      `Testing ${cases} of similar cases, and leaving out ${leftOut.length} slow files ` +
        `(TEST_CASES=${cases} TEST_SEED=${seed} repeats it, TEST_CASES=all or naming test files tests everything)`,
    );
  const deployed = process.env.BASE_URL;
  if (deployed) {
    project.provide('baseUrl', deployed.replace(/\/$/, ''));
    project.provide('dataDir', '');
    return undefined;
  }
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-'));
  const host = await startHost({ dir, port: 0 });
  const [table] = host.assembly.listResources('AWS::DynamoDB::GlobalTable');
  const [bucket] = host.assembly.listResources('AWS::S3::Bucket');
  project.provide('baseUrl', host.url);
  project.provide('dataDir', dir);
  project.provide('dynamoDb', host.endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  project.provide('kms', host.endpoints.AWS_ENDPOINT_URL_KMS ?? '');
  project.provide('sqs', host.endpoints.AWS_ENDPOINT_URL_SQS ?? '');
  project.provide('s3', host.endpoints.AWS_ENDPOINT_URL_S3 ?? '');
  project.provide('tableName', `${table?.stack}-${table?.id}`);
  project.provide('bucketName', `${bucket?.stack}-${bucket?.id}`.toLowerCase());
  return async () => {
    reportPermissions(host.proxies);
    await host.stop();
    rmSync(dir, { recursive: true });
  };
}
