import { UserError } from '../terminal/user-error.ts';
import { LocalIssuer } from './emulators/issuer/issuer.ts';
import { chooseHost, toShortPath } from './running-hosts.ts';

/** An API with a token for it. */
export interface Target {
  /** Address of the API, without a trailing slash. */
  base: string;
  token: string;
}

/**
 * Returns the API at `BASE_URL` with `TOKEN`. Without `BASE_URL`, returns the chosen local host with a token for `sub`, or with `TOKEN`
 * if no `sub` is given, or with a token for "demo". Throws UserError.
 */
export async function getTarget(sub?: string): Promise<Target> {
  const { BASE_URL, TOKEN } = process.env;
  if (BASE_URL) {
    if (!TOKEN) throw new UserError('Set TOKEN to a token for the API at BASE_URL');
    return { base: BASE_URL.replace(/\/$/, ''), token: TOKEN };
  }
  const { dir, running } = await chooseHost();
  if (!running?.url) throw new UserError(`No host runs on ${toShortPath(dir)}: start it by npm start`);
  const ownToken = async () => (await LocalIssuer.open(dir)).token({ sub: sub ?? 'demo', ttl: 3600 });
  return { base: running.url, token: sub === undefined && TOKEN ? TOKEN : await ownToken() };
}
