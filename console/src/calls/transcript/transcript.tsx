import { Paper, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { calls as text } from '../../strings/calls.ts';
import { useTop } from '../../ui/use-top.ts';
import type { WholeCall } from '../whole-call.ts';
import { finding, found } from './find.ts';
import { FindBar } from './find-bar.tsx';
import { JumpToTime } from './jump-to-time.tsx';
import classes from './transcript.module.css';
import { TurnView } from './turn-view.tsx';
import { placeAt, placeOf, type Turn, turnsOf } from './turns.ts';

/** About as high as a turn will be, in pixels: it is measured when it is drawn. */
function heightOf({ kind, log }: Turn): number {
  if (kind !== 'said' || log.role === 'system') return 56;
  return 72 + 22 * Math.floor((log.content?.length ?? 0) / 64);
}

/** The number of a turn in an address that ends in `#turn-12`. */
const numberIn = (hash: string): number | undefined => {
  const [, number] = /^turn-(\d{1,6})$/.exec(hash) ?? [];
  return number === undefined ? undefined : Number(number);
};

/**
 * What was said, as a conversation of which only what is in sight is drawn, however long it is. It scrolls with the page; what
 * finds a place in it stays in sight.
 */
export function Transcript({ call: { logs, isComplete } }: { call: WholeCall }) {
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const top = useTop(list);
  const turns = useMemo(() => turnsOf(logs), [logs]);
  const virtual = useWindowVirtualizer({
    count: turns.length,
    scrollMargin: top,
    estimateSize: (place) => heightOf(turns[place] as Turn),
    getItemKey: (place) => turns[place]?.number ?? place,
    overscan: 6,
    paddingStart: 8,
    paddingEnd: 8,
  });

  /** Where the turn is that a link, a search or a time has led to. */
  const [current, setCurrent] = useState<number>();
  const show = (place: number | undefined) => {
    setCurrent(place);
    if (place !== undefined) virtual.scrollToIndex(place, { align: 'center' });
  };

  const [typed, setTyped] = useState('');
  const soughtText = useDeferredValue(typed);
  const sought = useMemo(() => finding(soughtText), [soughtText]);
  const places = useMemo(() => (sought ? found(turns, sought) : []), [turns, sought]);

  // A link leads to its turn as soon as that has been read, and only once.
  const linked = numberIn(useLocation({ select: ({ hash }) => hash }));
  const linkedPlace = linked === undefined ? undefined : placeOf(turns, linked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `show` is made anew each time, and does the same
  useEffect(() => {
    if (linkedPlace !== undefined) show(linkedPlace);
  }, [linked, linkedPlace]);

  return (
    <Paper component="section" aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} size="md" id={id} className={classes.title}>
          {text.transcript}
        </Title>
        <FindBar typed={typed} onType={setTyped} places={places} isSearching={sought !== undefined} onShow={show} />
        <JumpToTime
          onJump={(seconds) => {
            const place = placeAt(turns, seconds);
            show(place);
            return place !== undefined;
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
