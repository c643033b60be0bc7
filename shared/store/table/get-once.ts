import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../errors.ts';
import { clientOptions } from './aws-call.ts';
import { createDocumentClient } from './document-client.ts';
import type { Key } from './keys.ts';
import { get, type Row } from './table.ts';

const { requestHandler } = clientOptions;

let client: DynamoDBDocumentClient | undefined;

/**
 * Returns a client that does not retry: the SDK pauses for a second or more before it sends a throttled request again. Creates it when it is
 * first asked for, since most functions that could use it do not.
 */
export function getOnceClient(): DynamoDBDocumentClient {
  client ??= createDocumentClient(
    new DynamoDBClient({
      maxAttempts: 1,
      requestHandler: { ...requestHandler, requestTimeout: requestHandler.requestTimeout / 4 },
    }),
  );
  return client;
}

/**
 * Reads a row like `get`, but returns `unknown` if DynamoDB fails, throttles or takes half a second. For readers that others wait for. One
 * round trip.
 */
export async function getOnce(key: Key): Promise<Row | undefined | 'unknown'> {
  try {
    return await get(key, getOnceClient());
  } catch (error) {
    if (error instanceof Unavailable) return 'unknown';
    throw error;
  }
}
