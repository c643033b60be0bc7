import { inject } from 'vitest';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { clientOptions } from '../../shared/store/table/aws-call.ts';

/** Points the stores at the emulators. Call it before importing a store, because stores read their environment when they load. */
export function useEmulator(settings: Record<string, string> = {}): void {
  Object.assign(process.env, {
    TABLE_NAME: inject('tableName'),
    KMS_KEY_ID: 'test-key',
    BUCKET_NAME: inject('bucketName'),
    TRANSCRIPT_DAYS: '',
    EVENT_DAYS: '90',
    MAX_ATTACHED: '50',
    MAX_UPLOAD_MB: '50',
    OCR_LANGUAGES: 'en',
    ENVIRONMENT: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: inject('dynamoDb'),
    AWS_ENDPOINT_URL_KMS: inject('kms'),
    AWS_ENDPOINT_URL_S3: inject('s3'),
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    ...settings,
  });
  // Test files share a process: while one of them compiles, the answers for another one wait.
  Object.assign(clientOptions.requestHandler, { connectionTimeout: 30_000, requestTimeout: 30_000 });
}
