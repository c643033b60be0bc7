import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { NoAnswer } from './errors.ts';

/** Types of TLS records, the first byte of each. TLS 1.3 marks all encrypted ones as data. */
const types = { change: 20, handshake: 22, data: 23 };

/** Bytes of a record's header, which ends with the number of those that follow, and the most that may follow. */
const sizes = { header: 5, rest: 16_384 + 2_048 };

/**
 * Limits of what a connection brings besides data. A handshake takes about ten records with 2 to 10 kB, most of it certificates, of which
 * OpenSSL computes all before anybody asks whether to trust them. Later, each ticket or new key takes up to 0.1 ms. Reads count if they are
 * shorter than 500 bytes and complete no record.
 */
const maxIdle = { records: 200, bytes: 16_384, reads: 10_000 };

const minReadBytes = 500;

/** Returns a function that splits bytes into records, passes on each, and returns their number. It throws NoAnswer at anything else. */
function createSplitter(onRecord: (record: Buffer) => void): (chunk: Buffer) => number {
  const record = Buffer.alloc(sizes.header + sizes.rest);
  const getLength = () => sizes.header + (size < sizes.header ? 0 : record.readUInt16BE(3));
  let size = 0;
  return (chunk) => {
    let count = 0;
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(record, size, at, at + getLength() - size);
      at += copied;
      size += copied;
      const [type = 0] = record;
      if (type < types.change || type > types.data || getLength() > record.length) throw new NoAnswer('EPROTO');
      if (size < sizes.header || size < getLength()) continue;
      onRecord(Buffer.from(record.subarray(0, size)));
      count += 1;
      size = 0;
    }
    return count;
  };
}

/**
 * Starts TLS on a connection by `connect`, and ends it if more comes than TLS needs besides data. Neither Node nor OpenSSL limits that, and
 * most of it emits no event.
 */
export function limitRecords(connection: Socket, connect: (records: Duplex) => TLSSocket): TLSSocket {
  const records = new Duplex({
    read: () => void connection.resume(),
    write: (chunk, _, callback) => void connection.write(chunk, callback),
    final: (callback) => void connection.end(callback),
    destroy: (error, callback) => {
      connection.destroy();
      callback(error);
    },
  });
  const socket = connect(records);
  const fail = () => records.destroy(new NoAnswer('EPROTO'));
  let idle = { records: 0, bytes: 0, reads: 0 };
  // The agent calls these when it keeps the connection, and when another request uses it.
  socket.unref = () => connection.unref() && socket;
  socket.ref = () => {
    idle = { records: 0, bytes: 0, reads: 0 };
    return connection.ref() && socket;
  };

  const countIdle = (record: Buffer) => {
    idle.records += 1;
    idle.bytes += record.length;
    if (idle.records > maxIdle.records || idle.bytes > maxIdle.bytes) fail();
  };

  let isSecure = false;
  let dataBytes = 0;
  socket.once('secureConnect', () => {
    isSecure = true;
    records.on('data', (record: Buffer) => {
      // TLS, which listens first, has read the record. `bytesRead` are those of data.
      if (socket.bytesRead === dataBytes) countIdle(record);
      dataBytes = socket.bytesRead;
    });
  });

  const split = createSplitter((record) => {
    if (!isSecure)
      countIdle(record); // before TLS reads it
    // TLS 1.2 may begin another handshake, of which OpenSSL refuses any number.
    else if (record[0] === types.handshake) fail();
    if (!records.destroyed && !records.push(record)) connection.pause();
  });
  connection.on('data', (chunk: Buffer) => {
    try {
      const count = split(chunk);
      if (count === 0 && chunk.length < minReadBytes) idle.reads += 1;
      if (idle.reads > maxIdle.reads) fail();
    } catch (error) {
      records.destroy(error as NoAnswer);
    }
  });
  connection
    .on('end', () => records.push(null))
    .on('error', (error) => records.destroy(error))
    .on('close', () => records.destroy());
  return socket;
}
