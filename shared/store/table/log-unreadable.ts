import { toUserLabel } from '../../telemetry/log-line.ts';
import { findOwner } from './keys.ts';
import type { Row } from './table.ts';

/** Logs that a row cannot be read. */
export const logUnreadable = ({ pk, sk }: Row, error: unknown): void => {
  const user = toUserLabel(findOwner(String(pk)) ?? '');
  console.error({ event: 'unreadable', user, id: sk, error: (error as Error).name });
};
