import { leaseNeeds, route } from '../route.ts';
import { AssistantId } from '../schemas/assistant.ts';
import { Envelope } from '../schemas/common.ts';
import { NewWebCall, WebCall } from '../schemas/web-call.ts';

const { assistants, versions, credentials } = leaseNeeds.rows;

export const create = /* @__PURE__ */ route(() => ({
  id: 'web-calls/create',
  method: 'POST',
  path: '/assistants/{assistant_id}/web-calls',
  scope: 'chat',
  summary: 'Let a browser call an assistant',
  description:
    'Mints a token of LiveKit with your own key, the credential `livekit`. Whoever has the token can join this one room until `expires_at`, ' +
    'as `participant_name`. LiveKit then sends your worker `agent_name` there, with the assistant, `version` and `variables`. Answers 422 ' +
    'with all required variables that are missing, and if the texts cannot be rendered. Nothing is sent to LiveKit.',
  params: AssistantId,
  body: NewWebCall,
  quota: 'web_calls',
  secret: true,
  repeatable: true,
  returns: Envelope(WebCall),
  errors: ['NotFound', 'VendorRefused'],
  tells: ['credential.leased'],
  needs: { rows: { assistants, versions, credentials }, secrets: leaseNeeds.secrets },
}));
