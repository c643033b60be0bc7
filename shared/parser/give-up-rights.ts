import { ChildProcess } from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import dnsPromises from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import tls from 'node:tls';
import v8 from 'node:v8';
import vm from 'node:vm';

/** Returns the object with the native functions of the sockets to an address: a port, or a file. */
function getPrototype(address: number | string): object {
  const socket = net.connect(address as string).on('error', () => {}); // never connects
  const { _handle: handle } = socket as unknown as { _handle: object };
  socket.destroy();
  return Object.getPrototypeOf(handle);
}

/** Returns the object with the native functions of sockets of UDP. */
function getUdpPrototype(): object {
  const { _createSocketHandle } = dgram as unknown as { _createSocketHandle(...options: unknown[]): { close(): void } };
  const handle = _createSocketHandle(null, null, 'udp4', undefined, 0);
  handle.close();
  return Object.getPrototypeOf(handle);
}

/** Returns the object with the native functions of processes. Without a process, its `kill` signals what is in uninitialized memory. */
function getProcessPrototype(): object {
  const { _handle: handle } = new ChildProcess() as unknown as { _handle: object };
  return Object.getPrototypeOf(handle);
}

/** Lists the native functions of an object. */
const listFunctions = (object: object): string[] =>
  Object.getOwnPropertyNames(object).filter((name) => name !== 'constructor');

/**
 * Removes what Node's permissions do not restrict, though it reaches files, memory or other processes: reports, the module `vm`, signals, priorities,
 * environment variables, names of hosts, sockets that listen or receive. Makes an attack harder, and is no proof against one.
 */
export function giveUpRights(): void {
  new ReadableStream().getReader().releaseLock(); // makes the context that Node's own streams need, once, by `vm`
  const [processes, datagrams] = [getProcessPrototype(), getUdpPrototype()];
  const unrestricted: [object, string[]][] = [
    [process, ['kill', '_kill', '_debugProcess', '_debugEnd']], // with SIGUSR1, Node opens a debugger that can run anything
    [process, ['report']], // written without a check if memory is exhausted in the garbage collector
    [process, ['loadEnvFile']],
    [dns, Object.keys(dns)], // sends datagrams to any address, and words of files that `HOSTALIASES` names
    [dnsPromises, Object.keys(dnsPromises)],
    [vm, Object.keys(vm)], // runs bytecode that nobody verifies
    [tls, ['getCACertificates']], // reads any file, and returns its certificates
    [v8, ['setHeapSnapshotNearHeapLimit', 'writeHeapSnapshot']],
    [processes, listFunctions(processes)],
    [os, ['setPriority']],
    [getPrototype('/'), ['bind', 'listen', 'fchmod']],
    [getPrototype(1), ['bind', 'bind6', 'listen']],
    [datagrams, listFunctions(datagrams)],
    [dgram, ['_createSocketHandle']],
    [net, ['BoundSocket', '_createServerHandle']],
    [net.Server.prototype, ['listen', '_listen2']],
  ];
  for (const [object, names] of unrestricted) for (const name of names) Reflect.deleteProperty(object, name);
  process.env = Object.freeze({ ...process.env }); // setting a variable of the process itself reaches libraries in C
  syncBuiltinESMExports();
}
