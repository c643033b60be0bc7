import { Paper, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { calls as text } from '../../strings/calls.ts';
import { useOffsetTop } from '../../ui/table/use-offset-top.ts';
import type { WholeCall } from '../whole-call.ts';
import { FindBar } from './find-bar.tsx';
import { JumpToTime } from './jump-to-time.tsx';
import { findTurns, toSearchPattern } from './search.ts';
import classes from './transcript.module.css';
import { TurnView } from './turn-view.tsx';
import { buildTurns, findIndexByTime, findTurnIndex, type Turn } from './turns.ts';

/** Estimates the height of a turn in pixels, until it is rendered and measured. */
function estimateHeight({ kind, log }: Turn): number {
  if (kind !== 'said' || log.role === 'system') return 56;
  return 72 + 22 * Math.floor((log.content?.length ?? 0) / 64);
}

/** Parses the turn number from a URL hash such as `#turn-12`. */
const parseTurnNumber = (hash: string): number | undefined => {
  const [, number] = /^turn-(\d{1,6})$/.exec(hash) ?? [];
  return number === undefined ? undefined : Number(number);
};

/**
 * Transcript of a call. Renders only the turns in the viewport, so that it can have any length. Scrolls with the page;
 * its search bar stays visible.
 */
export function Transcript({ call: { logs, isComplete } }: { call: WholeCall }) {
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const top = useOffsetTop(list);
  const turns = useMemo(() => buildTurns(logs), [logs]);
  const virtual = useWindowVirtualizer({
    count: turns.length,
    scrollMargin: top,
    estimateSize: (index) => estimateHeight(turns[index] as Turn),
    getItemKey: (index) => turns[index]?.number ?? index,
    overscan: 6,
    paddingStart: 8,
    paddingEnd: 8,
  });

  /** Index of the turn that a link, a search or a time led to. */
  const [current, setCurrent] = useState<number>();
  const show = (index: number | undefined) => {
    setCurrent(index);
    if (index !== undefined) virtual.scrollToIndex(index, { align: 'center' });
  };

  const [typed, setTyped] = useState('');
  const soughtText = useDeferredValue(typed);
  const sought = useMemo(() => toSearchPattern(soughtText), [soughtText]);
  const matches = useMemo(() => (sought ? findTurns(turns, sought) : []), [turns, sought]);

  // Scrolls to the linked turn once, as soon as it has loaded.
  const linked = parseTurnNumber(useLocation({ select: ({ hash }) => hash }));
  const linkedIndex = linked === undefined ? undefined : findTurnIndex(turns, linked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `show` changes with every render but does the same
  useEffect(() => {
    if (linkedIndex !== undefined) show(linkedIndex);
  }, [linked, linkedIndex]);

  return (
    <Paper component="section" aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} size="md" id={id} className={classes.title}>
          {text.transcript}
        </Title>
        <FindBar typed={typed} onType={setTyped} matches={matches} isSearching={sought !== undefined} onShow={show} />
        <JumpToTime
          onJump={(seconds) => {
            const index = findIndexByTime(turns, seconds);
            show(index);
            return index !== undefined;
          }}
        />
      </div>
      {!isComplete && (
        <Text size="xs" c="dimmed" role="status" px="md" py={4}>
          {text.reading(logs.length)}
        </Text>
      )}
      {turns.length === 0 && (
        <Text size="sm" c="dimmed" p="lg">
          {text.empty}
        </Text>
      )}
      <ol ref={list} className={classes.list} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const turn = turns[index];
          return (
            turn && (
              <li
                key={key}
                aria-posinset={index + 1}
                aria-setsize={turns.length}
                data-index={index}
                data-current={index === current || undefined}
                ref={virtual.measureElement}
                className={classes.item}
                style={{ transform: `translateY(${start - top}px)` }}
              >
                <TurnView turn={turn} sought={sought} />
              </li>
            )
          );
        })}
      </ol>
    </Paper>
  );
}
