import { answerWith } from '../../shared/domain/assistant.ts';
import { configurationOf, leased, versionOf } from '../../shared/domain/runtime-config.ts';
import { roles, wantOf } from '../../shared/domain/wanted-credential.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { runtimeConfig } from '../../shared/routes/assistants.ts';
import { envelope } from '../../shared/schemas/common.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as attachments from '../../shared/store/attachments.ts';
import * as leases from '../../shared/store/leases.ts';

/** Gives a worker all that it needs to take a call, the vendors' keys too: each that it asks for is a line of audit. */
export const handler = endpoint(runtimeConfig, async ({ params, user, isKnown, audit }) => {
  const assistant = await assistants.get(user.key, params.assistant_id);
  const wants = roles.map((role) => wantOf(assistant, role));
  const [attached, found] = await Promise.all([attachments.shownOf(user.key, assistant), leases.find(user.key, wants)]);
  const shown = answerWith(assistant, user, attached);
  const etag = versionOf(shown.etag, found);
  const lease = (facts: object) => audit('lease', { assistant: assistant.id, ...facts });
  if (isKnown(etag)) {
    leased(found, found, 'renewed').forEach(lease);
    return { body: null, etag };
  }
  const opened = await leases.open(user.key, found);
  leased(found, opened, 'handed over').forEach(lease);
  const body = envelope('Runtime configuration read', configurationOf(shown.body, opened));
  // Whether a key decrypts is no part of the version: an answer without one must be asked for again.
  return opened.includes('undecryptable') ? { body } : { body, etag };
});
