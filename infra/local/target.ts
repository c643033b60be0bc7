import { Problem } from '../problem.ts';
import { LocalIssuer } from './emulators/issuer.ts';
import { chooseHost, toShortPath } from './running.ts';

/** An API to call, and a token of the user as whom. */
export interface Target {
  /** Its address, without a slash at its end. */
  base: string;
  token: string;
}

/**
 * Returns the API of `BASE_URL` with `TOKEN`; without `BASE_URL` that of the chosen local host, as `sub`, else as the user of `TOKEN`, else
 * as "demo". Throws Problem.
 */
export async function target(sub?: string): Promise<Target> {
  const { BASE_URL, TOKEN } = process.env;
  if (BASE_URL) {
    if (!TOKEN) throw new Problem('BASE_URL needs TOKEN, a token of a user there');
    return { base: BASE_URL.replace(/\/$/, ''), token: TOKEN };
  }
  const { dir, running } = await chooseHost();
  if (!running?.url) throw new Problem(`No host runs on ${toShortPath(dir)}: start it by npm start`);
  const ownToken = async () => (await LocalIssuer.open(dir)).token({ sub: sub ?? 'demo', ttl: 3600 });
  return { base: running.url, token: sub === undefined && TOKEN ? TOKEN : await ownToken() };
}
