import { Webhook } from 'standardwebhooks';
import { parseWebhookSecret } from '../../../shared/domain/signature.ts';

/** Returns a sentence about the signature of a delivery. The secret becomes the key as the service has it: base64, or its UTF-8 bytes. */
export function checkSignature(secret: string | undefined, body: string, headers: Record<string, string>): string {
  if (secret === undefined) return 'not checked: start with --secret';
  try {
    new Webhook(parseWebhookSecret(secret).key).verify(body, headers);
    return 'signature is valid';
  } catch (error) {
    return `SIGNATURE IS INVALID: ${(error as Error).message}`;
  }
}
