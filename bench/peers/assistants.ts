import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { JwtVerifier } from 'aws-jwt-verify';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';

/** Authentication and storage, shared by all stacks. They differ in how they parse requests and build responses. */

const { ISSUER = '', AUDIENCES, JWKS_URI = '', TABLE_NAME } = process.env;

/** Fetches the issuer's keys. The library's own fetcher requires https, and the issuer of the benchmark uses http. */
const fetchKeys = (uri: string): Promise<ArrayBuffer> =>
  new Promise((resolve, reject) => {
    get(uri, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks)).buffer));
    }).on('error', reject);
  });

const verifier = JwtVerifier.create(
  {
    issuer: ISSUER,
    audience: null, // Cognito's access tokens name the client instead
    jwksUri: JWKS_URI,
    customJwtCheck({ payload }) {
      if (payload.client_id !== AUDIENCES) throw new Error('The token was issued for another client');
    },
  },
  { jwksCache: new SimpleJwksCache({ fetcher: { fetch: fetchKeys } }) },
);
// Fetches the keys during the cold start, as the library recommends.
verifier.hydrate().catch(() => {});

/** Returns the user of an `Authorization` header, or undefined if its token is missing or invalid. */
export async function verifyToken(authorization: string | undefined): Promise<string | undefined> {
  const [, token = ''] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
  try {
    return (await verifier.verify(token)).sub;
  } catch {
    return undefined;
  }
}

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export interface Settings {
  voice: Record<string, unknown>;
  llm: Record<string, unknown>;
  transcriber: Record<string, unknown>;
  transport: Record<string, unknown>;
}

export interface NewAssistant extends Settings {
  name: string;
  system_instruction: string;
  description: string | null;
  first_message: string | null;
}

export interface Assistant extends NewAssistant {
  id: string;
  created_at: string;
}

/** Returns an assistant, if any. Its settings are stored as JSON text, because they are open-ended. */
export async function read(user: string, id: string): Promise<Assistant | undefined> {
  const { Item } = await client.send(
    new GetCommand({ TableName: TABLE_NAME, Key: { pk: `USER#${user}`, sk: `ASSISTANT#${id}` }, ConsistentRead: true }),
  );
  if (!Item) return undefined;
  const { pk: _pk, sk: _sk, settings, ...rest } = Item;
  return { ...rest, ...JSON.parse(settings) } as Assistant;
}

export async function insert(user: string, content: NewAssistant): Promise<Assistant> {
  const assistant = { ...content, id: randomUUID(), created_at: new Date().toISOString() };
  const { voice, llm, transcriber, transport, ...rest } = assistant;
  const settings = JSON.stringify({ voice, llm, transcriber, transport });
  await client.send(
    new PutCommand({
      TableName: TABLE_NAME,
      Item: { pk: `USER#${user}`, sk: `ASSISTANT#${assistant.id}`, ...rest, settings },
      ConditionExpression: 'attribute_not_exists(pk)',
    }),
  );
  return assistant;
}
