import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { stackNameOf } from '../config.ts';
import { localServices } from '../local/api-key.ts';
import { credentials } from '../local/emulators/emulator.ts';
import type { Services } from '../local/services.ts';
import { Problem } from '../problem.ts';

/** Where the data of a deployment is. */
export interface Place {
  /** What people call it. */
  name: string;
  table: string;
  bucket: string;
  /** The issuer of its users, part of their keys. */
  issuer: string;
  /** The ARN of the KMS key of its credentials. */
  key: string;
  dynamoDb: DynamoDBClient;
  s3: S3Client;
  kms: KMSClient;
  /** Takes what was deleted off the disk, where that is ours. */
  scrub(): void;
  close(): Promise<void>;
}

/** The outputs of the stack (infra/stack.ts). */
type Outputs = (name: 'Table' | 'Bucket' | 'Key' | 'Issuer') => string;

const named = (output: Outputs) => ({
  table: output('Table'),
  bucket: output('Bucket'),
  key: output('Key'),
  issuer: output('Issuer'),
});

/** More than a request of a user is worth: a command may wait while others are served. */
const patience = { maxAttempts: 8 };

/** The service on this machine. Closing the place stops its services. */
export function placeOf(services: Services): Place {
  const clientOf = (service: string) => ({
    endpoint: services.endpoints[`AWS_ENDPOINT_URL_${service}`] ?? '',
    region: 'us-east-1',
    credentials,
    ...patience,
  });
  return {
    name: 'the local host',
    ...named((name) => services.assembly.output(name)),
    dynamoDb: new DynamoDBClient(clientOf('DYNAMODB')),
    s3: new S3Client(clientOf('S3')),
    kms: new KMSClient(clientOf('KMS')),
    scrub: () => services.scrub(),
    close: () => services.stop(),
  };
}

/** A deployed environment, by the outputs of its stack, with the credentials and the region that the SDK finds. */
async function deployed(environment: string): Promise<Place> {
  const name = stackNameOf(environment);
  const client = new CloudFormationClient(patience);
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name })).catch((error) => {
    throw new Problem(`The stack ${name} cannot be read (${error.message}): check --env, AWS_REGION and AWS_PROFILE`);
  });
  client.destroy();
  const outputs = new Map(Stacks?.[0]?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  const output: Outputs = (wanted) => {
    const value = outputs.get(wanted);
    if (!value) throw new Problem(`The stack ${name} has no output ${wanted}: deploy it once more`);
    return value;
  };
  return {
    name,
    ...named(output),
    dynamoDb: new DynamoDBClient(patience),
    s3: new S3Client(patience),
    kms: new KMSClient(patience),
    scrub: () => {},
    close: async () => {},
  };
}

/**
 * Runs a command on the data of a deployed environment, or of the local host where none is named. Throws Problem where it
 * cannot be found.
 */
export async function at(environment: string | undefined, command: (place: Place) => Promise<void>): Promise<void> {
  const place = environment === undefined ? placeOf(await localServices()) : await deployed(environment);
  try {
    await command(place);
  } finally {
    place.dynamoDb.destroy();
    place.s3.destroy();
    place.kms.destroy();
    await place.close();
  }
}
