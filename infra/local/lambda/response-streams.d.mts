import type { Writable } from 'node:stream';

export function installResponseStreams(): void;
export function isStreaming(handler: unknown): boolean;
export function createResponseStream(send: (chunk: Buffer) => Promise<void>): Writable;
