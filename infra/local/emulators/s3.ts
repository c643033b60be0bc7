import { join } from 'node:path';
import S3rver from 's3rver';
import type { Emulator } from './emulator.ts';

/** S3, kept in a folder. An address by number, so that the SDK puts the bucket into the path. */
export async function startS3(dataDir: string, buckets: string[]): Promise<Emulator> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: join(dataDir, 's3'),
    silent: true,
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  });
  const { port } = await server.run();
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => server.close() };
}
