import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { common } from '../../strings/common.ts';
import { formatDateTime, formatHour } from './dates.ts';
import { formatRelativeHour, formatRelativeTime } from './relative-time.ts';

const updateIntervalMs = 30_000;

interface Props {
  at: string | null;
  /** True if `at` is only exact to the hour: it is the start of that hour. */
  isHour?: boolean;
}

/** Relative time that stays up to date. Its tooltip has the full date and time. */
export function Time({ at, isHour = false }: Props) {
  const [now, setNow] = useState(() => new Date());
  useInterval(() => setNow(new Date()), updateIntervalMs, { autoInvoke: true });
  if (at === null) return common.never;
  const moment = new Date(at);
  const [format, formatRelative] = isHour ? [formatHour, formatRelativeHour] : [formatDateTime, formatRelativeTime];
  return (
    <time dateTime={at} title={format(moment)}>
      {formatRelative(moment, now)}
    </time>
  );
}
