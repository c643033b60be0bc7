import type { Settings } from './settings.ts';

type Oidc = Extract<Settings['identity'], { kind: 'oidc' }>;

/** An identity provider that is known by the shape of its issuer. */
interface Provider {
  /** Tests the host and the path of an issuer, as `id.example.com/realms/voice`. */
  issuer: RegExp;
  /** Returns the address of its public keys, if that is not the usual one. */
  keysUri?(issuer: URL): string;
  /** Returns what cannot work in these settings: sentences that begin with the setting. */
  listFaults?(settings: { identity: Oidc; issuer: URL; console: Settings['console'] }): string[];
}

/** Scopes of OpenID Connect, which stand for no API. */
const ownScopes = ['openid', 'profile', 'email', 'offline_access'];

const onlyIf = (isFault: boolean, fault: string): string[] => (isFault ? [fault] : []);

/** The providers that docs/sign-in.md describes. */
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
        `identity.issuer must be a custom authorization server, as ${origin}/oauth2/default: tokens of the org server are for Okta itself`,
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
        console !== undefined && (console.scope ?? 'openid').split(' ').every((scope) => ownScopes.includes(scope)),
        'console.scope must name a scope of the API, as "openid offline_access api://…/access": without one, tokens are for Microsoft Graph',
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
    issuer: /\/realms\/[^/]+$/, // Keycloak, under a name of yours
    keysUri: ({ href }) => `${href}/protocol/openid-connect/certs`,
  },
];

const findProvider = ({ host, pathname }: URL): Provider | undefined =>
  providers.find(({ issuer }) => issuer.test(host + pathname));

/** Returns the address of an issuer's public keys, by the shape of its name. */
export function getKeysUri(issuer: string): string {
  const url = new URL(issuer);
  return findProvider(url)?.keysUri?.(url) ?? `${issuer.replace(/\/$/, '')}/.well-known/jwks.json`;
}

/** Returns what of the settings of an issuer cannot work, by the shape of its name: nothing is asked over the network. */
export function listSignInFaults({ identity, console }: Settings): string[] {
  if (identity.kind === 'cognito')
    return onlyIf(
      identity.google !== undefined && console === undefined,
      'identity.google needs console: people sign in at its pages',
    );
  const issuer = new URL(identity.issuer);
  return findProvider(issuer)?.listFaults?.({ identity, issuer, console }) ?? [];
}
