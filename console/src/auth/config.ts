import type { ConsoleConfig } from '../../../shared/console-config.ts';

/** Timeout of requests that the console needs before it can start, in milliseconds. */
export const startTimeoutMs = 20_000;

const requiredKeys = ['api', 'issuer', 'clientId', 'scope'] as const;

/** Reads `config.json`, which is served next to the console. Throws if it is missing or incomplete. */
export async function readConfig(): Promise<ConsoleConfig> {
  const response = await fetch(`${import.meta.env.BASE_URL}config.json`, {
    signal: AbortSignal.timeout(startTimeoutMs),
  });
  if (!response.ok) throw new Error(`config.json: status ${response.status}`);
  const config: Partial<ConsoleConfig> | null = await response.json();
  const missing = requiredKeys.filter((name) => typeof config?.[name] !== 'string');
  if (missing.length > 0) throw new Error(`config.json: ${missing.join(', ')} missing`);
  return config as ConsoleConfig;
}
