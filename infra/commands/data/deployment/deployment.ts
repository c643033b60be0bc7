import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { toStackName } from '../../../config.ts';
import { openLocalServices } from '../../../local/api-key.ts';
import { maxPageRows } from '../../../local/emulators/dynamodb.ts';
import { credentials } from '../../../local/emulators/emulator.ts';
import type { Services } from '../../../local/services.ts';
import { UserError } from '../../../terminal/user-error.ts';

/** Data of a deployed environment or of the local host, with clients to access it. */
export interface Deployment {
  /** Name for messages. */
  name: string;
  table: string;
  bucket: string;
  /** Issuer of its users, which is part of their keys. */
  issuer: string;
  /** ARN of the KMS key that encrypts its credentials. */
  key: string;
  dynamoDb: DynamoDBClient;
  /** Maximum number of rows per page of the table, on the local host only. */
  maxPageRows?: number;
  s3: S3Client;
  kms: KMSClient;
  /** Other places that keep a deleted user's data for some time. */
  elsewhere: string;
  /** Removes deleted data from the disk, on the local host only. */
  scrub(): void;
  close(): Promise<void>;
}

/** Returns an output of the stack (infra/stacks/service.ts). */
type Outputs = (name: 'Table' | 'Bucket' | 'Key' | 'Issuer') => string;

const toNames = (output: Outputs) => ({
  table: output('Table'),
  bucket: output('Bucket'),
  key: output('Key'),
  issuer: output('Issuer'),
});

/** More attempts than a request to the API makes: a command can wait. */
const retryOptions = { maxAttempts: 8 };

/** Returns the deployment of the local host. Closing it stops the local services. */
export function toLocalDeployment(services: Services): Deployment {
  const toClientConfig = (service: string) => ({
    endpoint: services.endpoints[`AWS_ENDPOINT_URL_${service}`] ?? '',
    region: 'us-east-1',
    credentials,
    ...retryOptions,
  });
  return {
    name: 'the local host',
    ...toNames((name) => services.assembly.getOutput(name)),
    dynamoDb: new DynamoDBClient(toClientConfig('DYNAMODB')),
    maxPageRows,
    s3: new S3Client(toClientConfig('S3')),
    kms: new KMSClient(toClientConfig('KMS')),
    elsewhere: 'the logs in the data folder, workspaces in which a person acted, and exports',
    scrub: () => services.scrub(),
    close: () => services.stop(),
  };
}

/** Loads a deployed environment from its stack's outputs, with the SDK's default credentials and region. */
async function loadDeployment(environment: string): Promise<Deployment> {
  const name = toStackName(environment);
  const client = new CloudFormationClient(retryOptions);
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name })).catch((error) => {
    throw new UserError(`The stack ${name} cannot be read (${error.message}): check --env, AWS_REGION and AWS_PROFILE`);
  });
  client.destroy();
  const outputs = new Map(Stacks?.[0]?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  const output: Outputs = (key) => {
    const value = outputs.get(key);
    if (!value) throw new UserError(`The stack ${name} has no output ${key}: deploy it again`);
    return value;
  };
  return {
    name,
    ...toNames(output),
    dynamoDb: new DynamoDBClient(retryOptions),
    s3: new S3Client(retryOptions),
    kms: new KMSClient(retryOptions),
    elsewhere:
      'logs, workspaces in which a person acted, backups of the table for 35 days, exports, and the account at the issuer',
    scrub: () => {},
    close: async () => {},
  };
}

/**
 * Runs a command on a deployed environment, or on the local host if none is named. Throws UserError if the environment
 * cannot be found.
 */
export async function withDeployment(
  environment: string | undefined,
  command: (deployment: Deployment) => Promise<void>,
): Promise<void> {
  const deployment =
    environment === undefined ? toLocalDeployment(await openLocalServices()) : await loadDeployment(environment);
  try {
    await command(deployment);
  } finally {
    deployment.dynamoDb.destroy();
    deployment.s3.destroy();
    deployment.kms.destroy();
    await deployment.close();
  }
}
