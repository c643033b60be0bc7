import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service of AWS that runs on this machine. */
export interface Emulator {
  endpoint: string;
  stop(): Promise<void>;
}

/** The only key pair that s3rver takes; the others take any. */
export const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** Serves an emulator on a free port of this machine. */
export async function serve(server: Server): Promise<Emulator> {
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
