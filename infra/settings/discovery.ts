import type { Settings } from '../settings.ts';
import { UserError } from '../terminal/user-error.ts';
import { getKeysUri } from './providers.ts';

/** Fields of a discovery document that the API and the console use (OpenID Connect Discovery 1.0, section 3). */
interface DiscoveryDocument {
  issuer?: string;
  jwks_uri?: string;
  token_endpoint?: string;
}

const timeoutMs = 5_000;

/** Returns the settings that contradict the discovery document, each as a sentence that begins with the setting. */
function listContradictions({ identity, console }: Settings, document: DiscoveryDocument): string[] {
  if (identity.kind !== 'oidc') return [];
  const { issuer, jwksUri = getKeysUri(issuer) } = identity;
  const tokenOrigin = URL.parse(document.token_endpoint ?? '')?.origin;
  return [
    ...(document.issuer === issuer ? [] : [`identity.issuer must be exactly "${document.issuer}"`]),
    ...(document.jwks_uri === jwksUri ? [] : [`identity.jwksUri must be "${document.jwks_uri}"`]),
    ...(console && tokenOrigin !== new URL(issuer).origin
      ? [
          `console cannot sign in there: its policy allows no token endpoint at ${tokenOrigin}, another origin than the issuer's`,
        ]
      : []),
  ];
}

/**
 * Compares the settings with the issuer's discovery document. Throws UserError with all contradictions. If the document
 * cannot be fetched, for example offline, prints a warning and accepts the settings. Never changes the stacks.
 */
export async function checkDiscovery(environment: string, settings: Settings): Promise<void> {
  const { identity } = settings;
  if (identity.kind !== 'oidc') return;
  const address = `${identity.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) })
    .then((response) => (response.ok ? (response.json() as Promise<DiscoveryDocument>) : undefined))
    .catch(() => undefined);
  if (!document) {
    console.error(`Settings not compared with the provider: ${address} has no discovery document or cannot be reached`);
    return;
  }
  const faults = listContradictions(settings, document);
  if (faults.length > 0)
    throw new UserError(
      [`The environment ${environment} contradicts ${address}. Fix it in infra/config.ts:`, ...faults].join('\n- '),
    );
}
