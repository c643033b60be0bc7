import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';

/** Returns the object with the native functions of sockets that are files. */
function getPipePrototype(): object {
  const socket = net.connect('/').on('error', () => {}); // never connects
  const { _handle: handle } = socket as unknown as { _handle: object };
  socket.destroy();
  return Object.getPrototypeOf(handle);
}

/** Removes what Node's permissions do not restrict, though it reaches other processes or creates files: signals, priorities, sockets. */
export function giveUpRights(): void {
  const unrestricted: [object, string[]][] = [
    [process, ['kill', '_kill', '_debugProcess', '_debugEnd']], // with SIGUSR1, Node opens a debugger that can run anything
    [os, ['setPriority']],
    [getPipePrototype(), ['bind', 'listen', 'fchmod']],
    [net, ['BoundSocket', '_createServerHandle']],
    [net.Server.prototype, ['listen', '_listen2']],
  ];
  for (const [object, names] of unrestricted) for (const name of names) Reflect.deleteProperty(object, name);
  syncBuiltinESMExports();
}
