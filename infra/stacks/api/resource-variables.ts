import type { Route } from '../../../shared/route.ts';
import type { Settings } from '../../settings.ts';
import type { Storage } from '../storage.ts';

/** Returns the environment variables that name the resources and settings a route needs. */
export const toResourceVariables = (
  { needs, quota }: Pick<Route, 'needs' | 'quota'>,
  { key, bucket }: Storage,
  { outboundAllow, bedrock, quotas, knowledgeBases }: Settings,
): Record<string, string> => ({
  ...(needs.secrets && { KMS_KEY_ID: key.keyId }),
  ...(needs.files && { BUCKET_NAME: bucket.bucketName }),
  ...(needs.models && bedrock && { BEDROCK_MODELS: bedrock.models.join(',') }),
  ...((needs.tiers || quota) && quotas && { QUOTAS: JSON.stringify(quotas) }),
  ...(quota === 'uploads' && { OCR_LANGUAGES: knowledgeBases.ocrLanguages.join(',') }),
  ...(needs.outboundRules && { OUTBOUND_ALLOW: outboundAllow.join(',') }),
});
