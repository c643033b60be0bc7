import { inject } from 'vitest';

/** Points the stores at the emulator. Call it before they are imported: they read their environment at load. */
export function useEmulator(): void {
  Object.assign(process.env, {
    TABLE_NAME: inject('tableName'),
    KMS_KEY_ID: 'test-key',
    AWS_ENDPOINT_URL_DYNAMODB: inject('dynamoDb'),
    AWS_ENDPOINT_URL_KMS: inject('kms'),
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
}
