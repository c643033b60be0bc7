import type { Settings } from '../settings.ts';

type Oidc = Extract<Settings['identity'], { kind: 'oidc' }>;

/** Identity provider that is recognized by the shape of its issuer. */
interface Provider {
  /** Matches host and path of the issuer, for example `id.example.com/realms/voice`. */
  issuer: RegExp;
  /** Returns the address of the public keys, for providers that do not use the usual one. */
  keysUri?(issuer: URL): string;
  /** Returns the settings that cannot work, each as a sentence that begins with the setting. */
  listFaults?(settings: { identity: Oidc; issuer: URL; console: Settings['console'] }): string[];
}

/** Scopes of OpenID Connect itself, which belong to no API. */
const oidcScopes = ['openid', 'profile', 'email', 'offline_access'];

const onlyIf = (isFault: boolean, fault: string): string[] => (isFault ? [fault] : []);

/** Providers that docs/sign-in.md describes. */
const providers: Provider[] = [
  {
    issuer: /^accounts\.google\.com/,
    listFaults: () => [
      'identity.issuer cannot be Google, whose access tokens no API can verify: use identity.kind "cognito" with google',
    ],
  },
  {
    issuer: /^[^/]+\.okta(preview|-emea)?\.com/,
    keysUri: ({ href }) => `${href}/v1/keys`,
    listFaults: ({ issuer: { origin, pathname } }) =>
      onlyIf(
        !/^\/oauth2\/\w+$/.test(pathname),
        `identity.issuer must be a custom authorization server, such as ${origin}/oauth2/default: tokens of the org server are for Okta itself`,
      ),
  },
  {
    issuer: /^(login\.microsoftonline\.com|sts\.windows\.net)/,
    keysUri: ({ href }) => href.replace(/\/v2\.0$/, '/discovery/v2.0/keys'),
    listFaults: ({ issuer: { host, pathname }, console }) => [
      ...onlyIf(
        host !== 'login.microsoftonline.com' || !/^\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/v2\.0$/.test(pathname),
        'identity.issuer must be https://login.microsoftonline.com/<id of the tenant>/v2.0: a tenant, and tokens of version 2',
      ),
      ...onlyIf(
        console !== undefined && (console.scope ?? 'openid').split(' ').every((scope) => oidcScopes.includes(scope)),
        'console.scope must include a scope of the API, such as "openid offline_access api://…/access": without one, tokens are for Microsoft Graph',
      ),
    ],
  },
  {
    issuer: /^[^/]+\.auth0\.com/,
    listFaults: ({ identity, issuer, console }) => [
      ...onlyIf(!identity.issuer.endsWith('/'), `identity.issuer must end with a slash: ${issuer.origin}/`),
      ...onlyIf(
        console !== undefined && console.authorizeParams?.audience !== identity.audience,
        `console.authorizeParams must have audience: "${identity.audience}": without it, access tokens are opaque`,
      ),
    ],
  },
  {
    issuer: /\/realms\/[^/]+$/, // Keycloak on any host
    keysUri: ({ href }) => `${href}/protocol/openid-connect/certs`,
  },
];

const findProvider = ({ host, pathname }: URL): Provider | undefined =>
  providers.find(({ issuer }) => issuer.test(host + pathname));

/** Returns the address of an issuer's public keys, derived from the issuer without a request. */
export function getKeysUri(issuer: string): string {
  const url = new URL(issuer);
  return findProvider(url)?.keysUri?.(url) ?? `${issuer.replace(/\/$/, '')}/.well-known/jwks.json`;
}

/**
 * Returns the sign-in settings that cannot work, each as a sentence. Judges by the issuer's shape, without a request.
 */
export function listSignInFaults({ identity, console }: Settings): string[] {
  if (identity.kind === 'cognito')
    return onlyIf(
      identity.google !== undefined && console === undefined,
      'identity.google needs console: only the console offers it',
    );
  const issuer = new URL(identity.issuer);
  return findProvider(issuer)?.listFaults?.({ identity, issuer, console }) ?? [];
}
