import { ChevronDownIcon, ChevronUpIcon, MagnifyingGlassIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Group, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { calls as text } from '../../strings/calls.ts';
import classes from './transcript.module.css';

interface Props {
  typed: string;
  onType: (typed: string) => void;
  /** Where the turns are that hold what was typed. */
  places: readonly number[];
  isSearching: boolean;
  onShow: (place: number | undefined) => void;
}

/** Finds a text in the transcript, and leads from one place to the next: by the buttons, or Enter and Shift+Enter. */
export function FindBar({ typed, onType, places, isSearching, onShow }: Props) {
  const [which, setWhich] = useState(0);
  const go = (next: number) => {
    if (places.length === 0) return;
    const index = (next + places.length) % places.length;
    setWhich(index);
    onShow(places[index]);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes to the first place when something else is looked for
  useEffect(() => go(0), [typed, places[0]]);

  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    go(which + (event.shiftKey ? -1 : 1));
  };
  return (
    <Group gap={4} wrap="nowrap" className={classes.find}>
      <TextInput
        type="search"
        size="xs"
        aria-label={text.find}
        placeholder={text.find}
        leftSection={<MagnifyingGlassIcon width={14} aria-hidden />}
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={keyDown}
        flex="1 1 auto"
      />
      <Text size="xs" c="dimmed" role="status" className={classes.count}>
        {isSearching && (places.length === 0 ? text.findNone : text.findAt(which + 1, places.length))}
      </Text>
      {places.length > 0 && (
        <>
          <ActionIcon variant="subtle" color="gray" aria-label={text.findPrevious} onClick={() => go(which - 1)}>
            <ChevronUpIcon width={16} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" aria-label={text.findNext} onClick={() => go(which + 1)}>
            <ChevronDownIcon width={16} aria-hidden />
          </ActionIcon>
        </>
      )}
    </Group>
  );
}
