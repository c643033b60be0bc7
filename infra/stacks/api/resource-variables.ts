import type { Route } from '../../../shared/route.ts';
import type { Settings } from '../../settings.ts';
import type { Storage } from '../storage.ts';

/** Returns the environment variables that name the resources a route needs. */
export const toResourceVariables = (
  { needs }: Pick<Route, 'needs'>,
  { key, bucket }: Storage,
  { outboundAllow, bedrock }: Settings,
): Record<string, string> => ({
  ...(needs.secrets && { KMS_KEY_ID: key.keyId }),
  ...(needs.files && { BUCKET_NAME: bucket.bucketName }),
  ...(needs.models && bedrock && { BEDROCK_MODELS: bedrock.models.join(',') }),
  ...(needs.outboundRules && { OUTBOUND_ALLOW: outboundAllow.join(',') }),
});
