import { Problem } from './problem.ts';
import { getKeysUri } from './providers.ts';
import type { Settings } from './settings.ts';

/** What the console and the API read of a discovery document (OpenID Connect Discovery 1.0, section 3). */
interface Discovery {
  issuer?: string;
  jwks_uri?: string;
  token_endpoint?: string;
}

const timeoutMs = 5_000;

/** Returns where the settings contradict the discovery document: sentences that begin with the setting. */
function listContradictions({ identity, console }: Settings, document: Discovery): string[] {
  if (identity.kind !== 'oidc') return [];
  const { issuer, jwksUri = getKeysUri(issuer) } = identity;
  const tokenOrigin = URL.parse(document.token_endpoint ?? '')?.origin;
  return [
    ...(document.issuer === issuer ? [] : [`identity.issuer must be "${document.issuer}", to the letter`]),
    ...(document.jwks_uri === jwksUri ? [] : [`identity.jwksUri must be "${document.jwks_uri}"`]),
    ...(console && tokenOrigin !== new URL(issuer).origin
      ? [
          `console cannot sign in there: its policy allows no token endpoint at ${tokenOrigin}, another origin than the issuer's`,
        ]
      : []),
  ];
}

/**
 * Compares the settings with what their issuer says of itself. Prints a warning if it cannot be asked, as on a machine without
 * network. Changes nothing of the stacks. Throws Problem with all contradictions.
 */
export async function checkDiscovery(environment: string, settings: Settings): Promise<void> {
  const { identity } = settings;
  if (identity.kind !== 'oidc') return;
  const address = `${identity.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) })
    .then((response) => (response.ok ? (response.json() as Promise<Discovery>) : undefined))
    .catch(() => undefined);
  if (!document) {
    console.error(`Not checked: ${address} gives no discovery document, or cannot be reached from here`);
    return;
  }
  const faults = listContradictions(settings, document);
  if (faults.length > 0)
    throw new Problem(
      [`The environment ${environment} contradicts ${address}. Fix it in infra/config.ts:`, ...faults].join('\n- '),
    );
}
