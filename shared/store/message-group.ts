import { hash } from 'node:crypto';

/**
 * Returns the message group of something in a FIFO queue: one of the lanes of its owner. The queue delivers the next
 * batch of a group only after the previous one is deleted. So an owner never occupies more functions than it has lanes.
 */
export const toMessageGroup = (owner: string, id: string, lanes: number): string =>
  `${owner}-${Number(`0x${hash('sha256', id).slice(0, 8)}`) % lanes}`;
