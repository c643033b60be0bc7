import { Duration, RemovalPolicy, SecretValue, Stack } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  FeaturePlan,
  ManagedLoginVersion,
  OAuthScope,
  ProviderAttribute,
  UserPool,
  type UserPoolClientOptions,
  UserPoolIdentityProviderGoogle,
} from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import { cognitoScope, consolePath, signedInPath } from './console/places.ts';
import { ownPart } from './own-part.ts';
import { getKeysUri } from './providers.ts';
import type { Settings } from './settings.ts';

/** What a function needs to know to check a token. */
export interface Issuer {
  issuer: string;
  /** Whom tokens must be for, any of these. The first is that of the apps that call the API. */
  audiences: [string, ...string[]];
  jwksUri: string;
  /** The `token_use` that tokens must have, where the issuer tells kinds of token apart. */
  tokenUse?: string;
  /** How the console signs its users in, and where it sends requests for that. Missing where there is no console. */
  signIn?: { clientId: string; scope: string; authorizeParams?: Record<string, string>; connect: string[] };
  /** Where Google sends people back to, which its settings must allow. */
  googleRedirect?: string;
}

type GoogleSettings = NonNullable<Extract<Settings['identity'], { kind: 'cognito' }>['google']>;

/** An issuer of somebody else's. Its token endpoint is taken to have the same origin. */
function namedIssuer(
  { issuer, audience, jwksUri = getKeysUri(issuer) }: Extract<Settings['identity'], { kind: 'oidc' }>,
  {
    clientId = audience,
    scope = 'openid profile email offline_access',
    authorizeParams = {},
  }: NonNullable<Settings['console']>,
): Issuer {
  return {
    issuer,
    audiences: [audience],
    jwksUri,
    signIn: { clientId, scope, authorizeParams, connect: [new URL(issuer).origin] },
  };
}

const anyClient: UserPoolClientOptions = { accessTokenValidity: Duration.hours(1), preventUserExistenceErrors: true };

/** The console's own client: browsers come back to it with a code, and its sessions end after a working day. */
const consoleClient = (origin: string): UserPoolClientOptions => ({
  ...anyClient,
  oAuth: {
    flows: { authorizationCodeGrant: true },
    scopes: cognitoScope.split(' ').map(OAuthScope.custom),
    callbackUrls: [`${origin}${signedInPath}`],
    logoutUrls: [`${origin}${consolePath}`],
  },
  refreshTokenValidity: Duration.days(1),
  enableTokenRevocation: true, // signing out ends the refresh token
});

/** Lets people sign in to a pool with Google. Every account that Google's own settings let through becomes a user. */
const addGoogle = (scope: Construct, userPool: UserPool, { clientId, secretName }: GoogleSettings) =>
  new UserPoolIdentityProviderGoogle(scope, 'Google', {
    userPool,
    clientId,
    clientSecretValue: SecretValue.secretsManager(secretName),
    scopes: cognitoScope.split(' '),
    attributeMapping: { email: ProviderAttribute.GOOGLE_EMAIL, fullname: ProviderAttribute.GOOGLE_NAME },
  });

/** The issuer that the settings name, or a user pool of the stack's own. `consoleOrigin` is where its users sign in for. */
export function issuerOf(
  scope: Construct,
  { identity, retain, deletionProtection, console = {} }: Settings,
  consoleOrigin?: string,
): Issuer {
  if (identity.kind === 'oidc') return namedIssuer(identity, console);
  const pool = new UserPool(scope, 'Users', {
    featurePlan: FeaturePlan.ESSENTIALS,
    selfSignUpEnabled: false,
    signInAliases: { email: true },
    accountRecovery: AccountRecovery.EMAIL_ONLY,
    passwordPolicy: {
      minLength: 12,
      requireLowercase: true,
      requireUppercase: true,
      requireDigits: true,
      requireSymbols: true,
    },
    deletionProtection,
    removalPolicy: retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
  const client = pool.addClient('Client', {
    // A plain password is taken only from who may administer the pool: so a deployment signs in for its smoke test.
    authFlows: { userSrp: true, adminUserPassword: true },
    disableOAuth: true,
    ...anyClient,
  });
  const issuer = pool.userPoolProviderUrl;
  const known: Issuer = {
    issuer,
    audiences: [client.userPoolClientId],
    jwksUri: `${issuer}/.well-known/jwks.json`,
    tokenUse: 'access',
  };
  if (!consoleOrigin) return known;

  if (identity.google) addGoogle(scope, pool, identity.google); // before the client, which then offers it
  const { userPoolClientId: clientId } = pool.addClient('Console', consoleClient(consoleOrigin));

  const pages = pool.addDomain('Pages', {
    cognitoDomain: { domainPrefix: `${Stack.of(scope).stackName}-${ownPart()}` },
    managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
  });
  // Without a style, there are no pages.
  new CfnManagedLoginBranding(scope, 'Style', {
    userPoolId: pool.userPoolId,
    clientId,
    useCognitoProvidedValues: true,
  });
  return {
    ...known,
    audiences: [...known.audiences, clientId],
    signIn: { clientId, scope: cognitoScope, connect: [`${issuer}/`, pages.baseUrl()] },
    ...(identity.google && { googleRedirect: `${pages.baseUrl()}/oauth2/idpresponse` }),
  };
}
