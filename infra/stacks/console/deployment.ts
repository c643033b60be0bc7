import type { ConsoleConfig } from '../../../shared/console-config.ts';

/**
 * Deployment of a console: its configuration, and the origins that its pages may call, as sources of a content security
 * policy.
 */
export interface ConsoleDeployment {
  config: ConsoleConfig;
  connect: string[];
}

/** Returns the OpenAPI document with the deployment's API as its only server. */
export const setApiServer = ({ config }: ConsoleDeployment, json: string): object => ({
  ...JSON.parse(json),
  servers: [{ url: config.api }],
});

/** Scopes for a user pool, which issues refresh tokens without `offline_access`. */
export const cognitoScope = 'openid email profile';

/** Base path of the console, on CloudFront and on the local host. */
export const consolePath = '/console/';

/** Page to which an issuer redirects after sign-in. */
export const signedInPath = `${consolePath}signed-in`;
