import { Anchor, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { findNearMiss } from '../../../../../shared/domain/near-miss.ts';
import { assistants as text } from '../../../strings/assistants.ts';
import { typingPauseMs } from './typing-pause.ts';

interface Props {
  typed: string;
  names: readonly string[];
  onAccept: (name: string) => void;
}

/** Suggests the name that the user probably meant. Shows nothing while the user types, or if no name is similar. */
export function DidYouMean({ typed, names, onAccept }: Props) {
  const [settled] = useDebouncedValue(typed, typingPauseMs);
  const suggestion = settled === typed ? findNearMiss(settled, names) : undefined;
  if (!suggestion) return null;
  return (
    <Text size="sm" role="status">
      {text.didYouMean}{' '}
      <Anchor component="button" type="button" size="sm" underline="always" onClick={() => onAccept(suggestion)}>
        {text.meant(suggestion)}
      </Anchor>
    </Text>
  );
}
