import { ChevronDownIcon, ChevronUpIcon, MagnifyingGlassIcon } from '@heroicons/react/24/outline';
import { ActionIcon, Group, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { calls as text } from '../../strings/calls.ts';
import classes from './transcript.module.css';

interface Props {
  typed: string;
  onType: (typed: string) => void;
  /** Indices of the matching turns. */
  matches: readonly number[];
  isSearching: boolean;
  onShow: (place: number | undefined) => void;
}

/** Search field for the transcript. The buttons, or Enter and Shift+Enter, go to the next or previous match. */
export function FindBar({ typed, onType, matches, isSearching, onShow }: Props) {
  const [current, setCurrent] = useState(0);
  const go = (next: number) => {
    if (matches.length === 0) return;
    const index = (next + matches.length) % matches.length;
    setCurrent(index);
    onShow(matches[index]);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: goes to the first match of a new search
  useEffect(() => go(0), [typed, matches[0]]);

  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    go(current + (event.shiftKey ? -1 : 1));
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
        {isSearching && (matches.length === 0 ? text.findNone : text.findAt(current + 1, matches.length))}
      </Text>
      {matches.length > 0 && (
        <>
          <ActionIcon variant="subtle" color="gray" aria-label={text.findPrevious} onClick={() => go(current - 1)}>
            <ChevronUpIcon width={16} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" aria-label={text.findNext} onClick={() => go(current + 1)}>
            <ChevronDownIcon width={16} aria-hidden />
          </ActionIcon>
        </>
      )}
    </Group>
  );
}
