/** What the deployment, or the local host, tells the console about where it runs. */
export interface Config {
  /** The API's address, without a slash at its end. */
  api: string;
  /** The OIDC issuer. */
  issuer: string;
  clientId: string;
  scope: string;
  /** Parameters that the issuer wants besides those of OpenID Connect. */
  authorizeParams?: Record<string, string>;
}

/** Milliseconds after which nobody waits for an answer before the console is there. */
export const patience = 20_000;

const names = ['api', 'issuer', 'clientId', 'scope'] as const;

/** Reads the configuration that is served beside the console. Throws where there is none, or something else. */
export async function readConfig(): Promise<Config> {
  const response = await fetch(`${import.meta.env.BASE_URL}config.json`, { signal: AbortSignal.timeout(patience) });
  if (!response.ok) throw new Error(`config.json: status ${response.status}`);
  const config: Partial<Config> | null = await response.json();
  const missing = names.filter((name) => typeof config?.[name] !== 'string');
  if (missing.length > 0) throw new Error(`config.json: ${missing.join(', ')} missing`);
  return config as Config;
}
