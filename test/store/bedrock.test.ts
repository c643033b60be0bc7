import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { useEmulator } from '../support/store.ts';
import { answerModel } from '../support/vendor.ts';

const bedrock = await startReceiver();
afterAll(() => bedrock.stop());
useEmulator({
  OUTBOUND_ALLOW: '127.0.0.1:*',
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.url.replace(/\/hook$/, ''),
  AWS_SESSION_TOKEN: 'session-of-the-role',
  BEDROCK_MODELS: 'openai.gpt-oss-120b-1:0,openai.gpt-oss-20b-1:0',
});
const { findVendorLease, openVendorLease } = await import('../../shared/conversation/vendor-lease.ts');
const { requestCompletion, readCompletion } = await import('../../shared/conversation/vendor.ts');

beforeEach(() => {
  bedrock.requests.length = 0;
  bedrock.script = answerModel({ text: 'From your own account.' });
});

const toAssistant = (llm: object) => ({
  voice: { tts_provider: 'elevenlabs' },
  transcriber: { stt_provider: 'deepgram' },
  llm: { llm_provider: 'bedrock', model: 'openai.gpt-oss-20b-1:0', ...llm },
});

const assistantId = '0197aaaa-0000-7000-8000-000000000000';

async function ask(owner: string, llm: object = {}) {
  const lease = await findVendorLease(owner, toAssistant(llm) as never);
  const asker = { owner, tell: () => ({}) as never, audit: () => {} };
  const vendor = await openVendorLease(asker, assistantId, lease);
  const { signal } = new AbortController();
  return readCompletion(await requestCompletion(vendor, { messages: [] }, signal), vendor, signal);
}

describe('Amazon Bedrock in the account of the service', () => {
  it("is asked with the signature of the function's role, which covers the address and the body", async () => {
    const completion = await ask('a'.repeat(43));
    expect(completion.choices?.[0]?.message?.content).toBe('From your own account.');
    const [request] = bedrock.requests;
    expect(request?.path).toBe('/openai/v1/chat/completions');
    expect(request?.headers).toMatchObject({
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=\w+\/\d{8}\/us-east-1\/bedrock\/aws4_request, SignedHeaders=[\w;-]*host[\w;-]*, Signature=[0-9a-f]{64}$/,
      ),
      'x-amz-security-token': 'session-of-the-role',
      'x-amz-content-sha256': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('is refused for a model that the deployment does not allow', async () => {
    await expect(ask('a'.repeat(43), { model: 'anthropic.claude-opus-5' })).rejects.toMatchObject({
      failure: 'VendorRefused',
      detail: [{ type: 'unknown_model', msg: expect.stringContaining('openai.gpt-oss-120b-1:0') }],
    });
    expect(bedrock.requests.length).toBe(0);
  });

  it('never gets a signature of the role if the assistant names an address', async () => {
    await ask('a'.repeat(43), { base_url: bedrock.url.replace(/\/hook$/, '/elsewhere') });
    expect(bedrock.requests[0]?.path).toBe('/elsewhere/chat/completions');
    expect(bedrock.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(bedrock.requests[0]?.headers).not.toHaveProperty('x-amz-security-token');
  });
});
