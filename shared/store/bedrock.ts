import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { LlmSettings, Vendor } from '../domain/chat/vendors.ts';
import { VendorRefused } from '../errors.ts';

const { AWS_REGION: region = '', AWS_ENDPOINT_URL_BEDROCK_RUNTIME: endpoint, BEDROCK_MODELS = '' } = process.env;

/** Models of Amazon Bedrock that this function's role may use (`bedrock.models` of infra/settings.ts). */
const models = BEDROCK_MODELS.split(',').filter((model) => model !== '');

/** Returns Amazon Bedrock in the account of the service as a vendor, if the assistant names it and no other address. */
export function findBedrock({ llm_provider }: LlmSettings): Vendor | undefined {
  if (llm_provider.trim().toLowerCase() !== 'bedrock') return undefined;
  return {
    name: 'bedrock',
    url: `${endpoint ?? `https://bedrock-runtime.${region}.amazonaws.com`}/openai/v1/chat/completions`,
    needsKey: models.length === 0,
    usesRole: true,
    hasResponseFormat: true,
    hasStreamOptions: true,
  };
}

/** Throws VendorRefused if the role may not use a model. */
export function checkModel(model: string): void {
  if (models.includes(model)) return;
  throw new VendorRefused(`This deployment allows only these models of Bedrock: ${models.join(', ')}`, 'unknown_model');
}

/** Signs a request with the credentials of the function's role. Returns the headers to send. */
export async function signRequest(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<Record<string, string>> {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId = '',
    AWS_SECRET_ACCESS_KEY: secretAccessKey = '',
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  const signer = new SignatureV4({
    service: 'bedrock',
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
    sha256: Hash.bind(null, 'sha256'),
  });
  const { protocol, hostname, port, host, pathname } = new URL(url);
  const signed = await signer.sign({
    method: 'POST',
    protocol,
    hostname,
    ...(port && { port: Number(port) }),
    path: pathname,
    query: {},
    headers: { ...headers, host },
    body,
  });
  return signed.headers;
}
