import { LocalIssuer } from './emulators/issuer.ts';
import { dataDir } from './host.ts';

/** An API to call, and as whom. */
export interface Target {
  /** Its address, without a slash at its end. */
  base: string;
  token: string;
}

/** The API that `BASE_URL` and `TOKEN` name; without them the local host, at `PORT`, as the user `sub`. */
export async function target(sub = 'demo'): Promise<Target> {
  const { BASE_URL, PORT = '3000', TOKEN } = process.env;
  return {
    base: (BASE_URL ?? `http://127.0.0.1:${PORT}`).replace(/\/$/, ''),
    token: TOKEN ?? (await (await LocalIssuer.open(dataDir())).token({ sub, ttl: 3600 })),
  };
}
