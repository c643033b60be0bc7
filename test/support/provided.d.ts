import 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    baseUrl: string;
    /** Data folder of the local host, empty if `BASE_URL` names a deployed stack. */
    dataDir: string;
    dynamoDb: string;
    kms: string;
    sqs: string;
    s3: string;
    tableName: string;
    bucketName: string;
    /** Slowdown of tests by the machine's load, 1 if idle. */
    slowness: number;
    /** How many of similar cases run. */
    cases: 'few' | 'many' | 'all';
    /** Seed that draws them. */
    seed: string;
    /** Slow test files that this run leaves out. */
    leftOut: string[];
  }
}
