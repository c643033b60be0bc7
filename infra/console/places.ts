/** What a console is told of where it runs, at `/console/config.json`. */
export interface Config {
  /** The API's address, without a slash at its end. */
  api: string;
  /** The OIDC issuer, where its users sign in. */
  issuer: string;
  clientId: string;
  /** With spaces between. */
  scope: string;
  /** Parameters that the issuer wants besides those of OpenID Connect. */
  authorizeParams?: Record<string, string>;
}

/** Where a console runs, and whom its pages may send requests to, as sources of a content security policy. */
export interface Places {
  config: Config;
  connect: string[];
}

/** Returns the OpenAPI document of one deployment: its only server is the API of that deployment. */
export const openApiAt = ({ config }: Places, json: string): object => ({
  ...JSON.parse(json),
  servers: [{ url: config.api }],
});

/** What a user pool takes. Its refresh tokens ask for no scope of their own. */
export const cognitoScope = 'openid email profile';

/** The path that all of a console is below, at the API's local host as on CloudFront. */
export const consolePath = '/console/';

/** Pages of a console to which an issuer may send people back. */
export const signedInPath = `${consolePath}signed-in`;
