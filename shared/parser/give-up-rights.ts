import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';

/** Functions that Node's permissions do not restrict, though they reach other processes or create files, with their objects. */
const unrestricted: [object, string[]][] = [
  [process, ['kill', '_kill', '_debugProcess', '_debugEnd']], // with SIGUSR1, Node opens a debugger that can run anything
  [os, ['setPriority']],
  [net, ['BoundSocket', '_createServerHandle']],
  [net.Server.prototype, ['listen', '_listen2']], // a socket may be a file
];

/** Removes what would let code in this process disturb others. */
export function giveUpRights(): void {
  for (const [object, names] of unrestricted) for (const name of names) Reflect.deleteProperty(object, name);
  syncBuiltinESMExports();
}
