import { expect, test } from 'vitest';
import { describeLookupFailure } from '../../shared/domain/credential-lookup.ts';

test('a missing credential is told with its service, its name, and the request that saves it', () => {
  expect(describeLookupFailure('missing', { service: 'openai', name: undefined })).toBe(
    'You have no credential of openai: save its key by POST /user-credentials {"service_type":"openai","api_key":"…"}',
  );
  expect(describeLookupFailure('missing', { service: 'groq', name: 'clinic' })).toBe(
    'You have no credential "clinic" of groq: save its key by POST /user-credentials ' +
      '{"service_type":"groq","name":"clinic","api_key":"…"}',
  );
});
