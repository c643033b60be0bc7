import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { common } from '../strings/common.ts';
import { formatMoment } from './dates.ts';
import { relativeTime } from './relative-time.ts';

const everyHalfMinute = 30_000;

/** A moment as people say it, which keeps up with the clock; in full when pointed at. */
export function Time({ at }: { at: string | null }) {
  const [now, setNow] = useState(() => new Date());
  useInterval(() => setNow(new Date()), everyHalfMinute, { autoInvoke: true });
  if (at === null) return common.never;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatMoment(moment)}>
      {relativeTime(moment, now)}
    </time>
  );
}
