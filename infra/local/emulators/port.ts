import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { Problem } from '../../problem.ts';

/** A port that nothing listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Whether something listens on a port. */
export const isListening = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

/** Ports to which no browser connects, whatever a page asks for (the "bad ports" of the Fetch Standard). */
const blockedPorts = [2049, 3659, 4045, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10_080];

/** Systems that answer by every address of 127.0.0.0/8, so that hosts need not share the few ports. */
const hasManyAddresses = ['linux', 'win32'].includes(process.platform);

/** Finds an address of this machine, for a service that cannot tell pages from programs, that no page can reach. Throws Problem. */
export async function addressBeyondBrowsers(): Promise<{ host: string; port: number }> {
  const host = hasManyAddresses ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : '127.0.0.1';
  const taken = await Promise.all(blockedPorts.map((port) => isListening(port, host)));
  const free = blockedPorts.filter((_, i) => !taken[i]);
  const port = free[randomInt(Math.max(free.length, 1))];
  if (!port) throw new Problem(`One of the ports ${blockedPorts.join(', ')} must be free: stop another host`);
  return { host, port };
}
