import 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    baseUrl: string;
    /** The local host's folder; empty where `BASE_URL` names a deployed stack. */
    dataDir: string;
    dynamoDb: string;
    kms: string;
    sqs: string;
    s3: string;
    tableName: string;
    bucketName: string;
    /** How many times longer than on an idle machine a test may take. */
    slowness: number;
    /** Seed by which some of many like cases are drawn, or `all`. */
    seed: string;
  }
}
