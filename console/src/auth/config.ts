/** What the deployment, or the local host, tells the console about where it runs. */
export interface Config {
  /** The API's address, without a slash at its end. */
  api: string;
  /** The OIDC issuer. */
  issuer: string;
  clientId: string;
  scope: string;
}

/** Reads the configuration that is served beside the console. Throws where there is none. */
export async function readConfig(): Promise<Config> {
  const response = await fetch(`${import.meta.env.BASE_URL}config.json`);
  if (!response.ok) throw new Error(`config.json: status ${response.status}`);
  return response.json();
}
