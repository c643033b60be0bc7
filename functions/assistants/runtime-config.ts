import { answerWith } from '../../shared/domain/assistant.ts';
import { configurationOf, leased, roles, versionOf, wantOf } from '../../shared/domain/runtime-config.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { runtimeConfig } from '../../shared/routes/assistants.ts';
import { envelope } from '../../shared/schemas/common.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as leases from '../../shared/store/leases.ts';

/** Gives a worker all that it needs to take a call, the vendors' keys too: each that it asks for is a line of audit. */
export const handler = endpoint(runtimeConfig, async ({ params, user, isKnown, audit }) => {
  const stored = await assistants.get(user.key, params.assistant_id);
  const { body: assistant, etag: assistantTag } = answerWith(stored, user);
  const found = await leases.find(
    user.key,
    roles.map((role) => wantOf(stored, role)),
  );
  const etag = versionOf(assistantTag, found);
  if (isKnown(etag)) return { body: null, etag };

  const opened = await leases.open(user.key, found);
  for (const lease of leased(found, opened)) audit('lease', { assistant: assistant.id, ...lease });
  const body = envelope('Runtime configuration read', configurationOf(assistant, opened));
  // Whether a key decrypts is no part of the version: an answer without one must be asked for again.
  return opened.includes('undecryptable') ? { body } : { body, etag };
});
