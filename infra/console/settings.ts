import * as v from 'valibot';
import { Domain, text } from '../fields.ts';

/** Parameters of a sign-in that the console sets itself. */
const ownParams = [
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope'],
  ...['state', 'nonce', 'code_challenge', 'code_challenge_method'],
];

/** The settings of the web console. */
export const Console = v.strictObject({
  /** A name of its own; unless set, it is served under the one that CloudFront gives. */
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
  /** At an issuer of somebody else's: the client of the console, which has no secret. Only at a user pool it may be `identity.audience`. */
  clientId: v.optional(text(/\S/, "must be the id of the issuer's client")),
  /** There, too: what the console asks for, so that the API takes its tokens and they can be renewed. */
  scope: v.optional(text(/(^| )openid( |$)/, 'must be scopes with spaces between, "openid" among them')),
  /** There, too: more parameters of the address at which people sign in, as Auth0's `audience`. */
  authorizeParams: v.optional(
    v.record(
      text((name) => !ownParams.includes(name), 'is set by the console itself'),
      v.string('must be a text'),
    ),
  ),
});
