import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AccountRecovery, FeaturePlan, UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/** What a function needs to know to check a token. */
export interface Issuer {
  issuer: string;
  audience: string;
  jwksUri: string;
  /** The `token_use` that tokens must have, where the issuer tells kinds of token apart. */
  tokenUse?: string;
}

/** The issuer that the settings name, or a user pool of the stack's own. */
export function issuerOf(scope: Construct, { identity, retain }: Settings): Issuer {
  if (identity.kind === 'oidc') {
    const { issuer, audience, jwksUri = `${issuer.replace(/\/$/, '')}/.well-known/jwks.json` } = identity;
    return { issuer, audience, jwksUri };
  }
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
    deletionProtection: retain,
    removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  const client = pool.addClient('Client', {
    // A plain password is taken only from who may administer the pool: so a deployment signs in for its smoke test.
    authFlows: { userSrp: true, adminUserPassword: true },
    disableOAuth: true, // no hosted pages yet, so nowhere to be sent back to
    accessTokenValidity: Duration.hours(1),
    preventUserExistenceErrors: true,
  });
  return {
    issuer: pool.userPoolProviderUrl,
    audience: client.userPoolClientId,
    jwksUri: `${pool.userPoolProviderUrl}/.well-known/jwks.json`,
    tokenUse: 'access',
  };
}
