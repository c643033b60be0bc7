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
import { commandLinePath, commandLinePort } from '../../shared/console-config.ts';
import { getKeysUri } from '../settings/providers.ts';
import type { Settings } from '../settings.ts';
import { cognitoScope, consolePath, signedInPath } from './console/deployment.ts';
import { getStackSuffix } from './stack-suffix.ts';

/** Settings that a function needs to verify a token. */
export interface Issuer {
  issuer: string;
  /** Accepted audiences of a token. The first one is the client of the apps that call the API. */
  audiences: [string, ...string[]];
  jwksUri: string;
  /** Required `token_use` claim, for issuers that use it. */
  tokenUse?: string;
  /** Sign-in settings of the console, and the origins it calls to sign in. Missing without a console. */
  signIn?: { clientId: string; scope: string; authorizeParams?: Record<string, string>; connect: string[] };
  /** Redirect URL of Google sign-in. Google's settings must allow it. */
  googleRedirect?: string;
}

type GoogleSettings = NonNullable<Extract<Settings['identity'], { kind: 'cognito' }>['google']>;

/** Returns an external issuer. Assumes that its token endpoint has the same origin. */
function toExternalIssuer(
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

const clientDefaults: UserPoolClientOptions = {
  accessTokenValidity: Duration.hours(1),
  preventUserExistenceErrors: true,
};

/** Returns the options of the console's client: authorization code flow, and sessions that last a day. */
const buildConsoleClient = (origin: string): UserPoolClientOptions => ({
  ...clientDefaults,
  oAuth: {
    flows: { authorizationCodeGrant: true },
    scopes: cognitoScope.split(' ').map(OAuthScope.custom),
    callbackUrls: [`${origin}${signedInPath}`, `http://localhost:${commandLinePort}${commandLinePath}`],
    logoutUrls: [`${origin}${consolePath}`],
  },
  refreshTokenValidity: Duration.days(1),
  enableTokenRevocation: true, // signing out revokes the refresh token
});

/** Adds Google sign-in to a user pool. Every account that Google's own settings let through becomes a user. */
const addGoogle = (scope: Construct, userPool: UserPool, { clientId, secretName }: GoogleSettings) =>
  new UserPoolIdentityProviderGoogle(scope, 'Google', {
    userPool,
    clientId,
    clientSecretValue: SecretValue.secretsManager(secretName),
    scopes: cognitoScope.split(' '),
    attributeMapping: { email: ProviderAttribute.GOOGLE_EMAIL, fullname: ProviderAttribute.GOOGLE_NAME },
  });

/**
 * Returns the configured external issuer, or creates a user pool. Adds a client for the console if `consoleOrigin` is
 * given.
 */
export function createIssuer(
  scope: Construct,
  { identity, retain, deletionProtection, console = {} }: Settings,
  consoleOrigin?: string,
): Issuer {
  if (identity.kind === 'oidc') return toExternalIssuer(identity, console);
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
    // Password sign-in needs IAM permissions on the pool. A deployment uses it for the smoke test.
    authFlows: { userSrp: true, adminUserPassword: true },
    disableOAuth: true,
    ...clientDefaults,
  });
  const issuer = pool.userPoolProviderUrl;
  const withoutConsole: Issuer = {
    issuer,
    audiences: [client.userPoolClientId],
    jwksUri: `${issuer}/.well-known/jwks.json`,
    tokenUse: 'access',
  };
  if (!consoleOrigin) return withoutConsole;

  if (identity.google) addGoogle(scope, pool, identity.google); // must precede the client, which then offers it
  const { userPoolClientId: clientId } = pool.addClient('Console', buildConsoleClient(consoleOrigin));

  const pages = pool.addDomain('Pages', {
    cognitoDomain: { domainPrefix: `${Stack.of(scope).stackName}-${getStackSuffix()}` },
    managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
  });
  // Cognito serves no sign-in pages without a branding style.
  new CfnManagedLoginBranding(scope, 'Style', {
    userPoolId: pool.userPoolId,
    clientId,
    useCognitoProvidedValues: true,
  });
  return {
    ...withoutConsole,
    audiences: [...withoutConsole.audiences, clientId],
    signIn: { clientId, scope: cognitoScope, connect: [`${issuer}/`, pages.baseUrl()] },
    ...(identity.google && { googleRedirect: `${pages.baseUrl()}/oauth2/idpresponse` }),
  };
}
