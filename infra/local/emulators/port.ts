import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { UserError } from '../../terminal/user-error.ts';

/** Resolves to true if something listens on a port. */
export const isListening = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

/** Ports whose answers browsers never show to a page (the "bad ports" of the Fetch Standard). Most never connect to them. */
const blockedPorts = [2049, 3659, 4045, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10_080];

/** True on systems that have all addresses of 127.0.0.0/8, so that hosts do not compete for the few blocked ports. */
const hasManyAddresses = ['linux', 'win32'].includes(process.platform);

/** Finds a local address whose answers web pages cannot read, for a service that would accept their requests. Throws UserError if none is free. */
export async function findUnreachableAddress(ports = blockedPorts): Promise<{ host: string; port: number }> {
  const host = hasManyAddresses ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : '127.0.0.1';
  // dynoxide starts at no port that a program uses at 127.0.0.1, whatever its own address is.
  const isInUse = async (port: number) => (await isListening(port, host)) || isListening(port);
  const inUse = await Promise.all(ports.map(isInUse));
  const free = ports.filter((_, i) => !inUse[i]);
  const port = free[randomInt(Math.max(free.length, 1))];
  if (!port) throw new UserError(`One of the ports ${ports.join(', ')} must be free: stop another host`);
  return { host, port };
}
