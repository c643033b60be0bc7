import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isWelcome } from './door.ts';

/** A service of AWS that runs on this machine. */
export interface Emulator {
  endpoint: string;
  stop(): Promise<void>;
}

/**
 * Key pair of the functions. s3rver knows one id only; the secret is new in each process, so that nobody else can sign forms that the
 * bucket takes. Nothing here checks the signatures of other requests.
 */
export const credentials = { accessKeyId: 'S3RVER', secretAccessKey: randomBytes(32).toString('base64url') };

/** Serves an emulator on a free port of this machine, to programs but to no page. */
export async function serve(answer: RequestListener): Promise<Emulator> {
  const server = createServer((request, response) =>
    isWelcome(request) ? answer(request, response) : void response.writeHead(403).end(),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
