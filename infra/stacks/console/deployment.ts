/** Configuration of a console, served at `/console/config.json`. */
export interface Config {
  /** Base URL of the API, without a trailing slash. */
  api: string;
  /** OIDC issuer that signs users in. */
  issuer: string;
  clientId: string;
  /** Space-separated. */
  scope: string;
  /** Extra parameters of the authorization request, beyond those of OpenID Connect. */
  authorizeParams?: Record<string, string>;
}

/**
 * Deployment of a console: its configuration, and the origins that its pages may call, as sources of a content security
 * policy.
 */
export interface ConsoleDeployment {
  config: Config;
  connect: string[];
}

/** Returns the OpenAPI document with the deployment's API as its only server. */
export const buildOpenApi = ({ config }: ConsoleDeployment, json: string): object => ({
  ...JSON.parse(json),
  servers: [{ url: config.api }],
});

/** Scopes for a user pool, which issues refresh tokens without `offline_access`. */
export const cognitoScope = 'openid email profile';

/** Base path of the console, on CloudFront and on the local host. */
export const consolePath = '/console/';

/** Page to which an issuer redirects after sign-in. */
export const signedInPath = `${consolePath}signed-in`;
