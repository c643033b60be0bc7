import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAllowed } from './request-check.ts';

/** A local replacement of an AWS service. */
export interface Emulator {
  endpoint: string;
  stop(): Promise<void>;
}

/**
 * AWS credentials of the functions. s3rver accepts only this id. The secret is new in each process, so that no one else can sign forms
 * for the bucket. The emulators do not check the signatures of other requests.
 */
export const credentials = { accessKeyId: 'S3RVER', secretAccessKey: randomBytes(32).toString('base64url') };

/** Serves an emulator on a free port of this machine. Rejects requests of web pages, webhooks and tools. */
export async function serve(answer: RequestListener): Promise<Emulator> {
  const server = createServer((request, response) =>
    isAllowed(request) ? answer(request, response) : void response.writeHead(403).end(),
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
