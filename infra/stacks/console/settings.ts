import * as v from 'valibot';
import { Domain, text } from '../../settings/fields.ts';

/** Authorization parameters that the console sets itself. */
const reservedParams = [
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope'],
  ...['state', 'nonce', 'code_challenge', 'code_challenge_method'],
];

/** Settings of the web console. */
export const Console = v.strictObject({
  /** Custom domain. Unset, CloudFront assigns its address. */
  domain: v.optional(
    v.pipe(
      Domain,
      v.forward(
        v.partialCheck(
          [['certificateArn']],
          ({ certificateArn }) => certificateArn.split(':')[3] === 'us-east-1',
          'must be in us-east-1, where CloudFront looks for it',
        ),
        ['certificateArn'],
      ),
    ),
  ),
  /**
   * Client id of the console at an external issuer; a public client without a secret. It may equal `identity.audience`
   * only for a Cognito user pool.
   */
  clientId: v.optional(text(/\S/, 'must be a client id of the issuer')),
  /** Scopes to request from an external issuer. They must make it issue tokens for the API, and refresh tokens. */
  scope: v.optional(text(/(^| )openid( |$)/, 'must be space-separated scopes, including "openid"')),
  /** Extra authorization parameters for an external issuer, such as Auth0's `audience`. */
  authorizeParams: v.optional(
    v.record(
      text((name) => !reservedParams.includes(name), 'is set by the console itself'),
      v.string('must be a string'),
    ),
  ),
  /** Servers of LiveKit for calls from the console, such as `wss://*.livekit.cloud`. Unset, it can call no assistant. */
  voiceServers: v.optional(
    v.array(
      text(
        /^wss:\/\/(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(:\d{1,5})?$/,
        'must be wss:// and a host, such as wss://clinic.livekit.cloud or wss://*.livekit.cloud',
      ),
      'must be a list of servers',
    ),
  ),
});
