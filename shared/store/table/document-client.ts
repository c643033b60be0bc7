import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/**
 * Reads numbers as doubles, rounded beyond 2^53. There, the SDK by default returns whole numbers as BigInt, and throws at a fraction, which
 * fails the whole response.
 */
const readOptions = { wrapNumbers: Number };

/** Creates a client that converts rows. */
export const createDocumentClient = (client: DynamoDBClient): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { ...readOptions }, // a copy, since the SDK changes it
  });

/** Converts a row as a client does, for example the one at which a condition failed. */
export const convertRow = (row: Record<string, AttributeValue>): Record<string, unknown> =>
  unmarshall(row, readOptions);
