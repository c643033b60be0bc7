import { Anchor, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { findNearMiss } from '../../../../shared/domain/near-miss.ts';
import { assistants as text } from '../../strings/assistants.ts';
import { typingPause } from './typing-pause.ts';

interface Props {
  typed: string;
  names: readonly string[];
  onAccept: (name: string) => void;
}

/** Offers the name that was probably meant. Nothing while somebody types, nor where the text is near none. */
export function DidYouMean({ typed, names, onAccept }: Props) {
  const [settled] = useDebouncedValue(typed, typingPause);
  const meant = settled === typed ? findNearMiss(settled, names) : undefined;
  if (!meant) return null;
  return (
    <Text size="sm" role="status">
      {text.didYouMean}{' '}
      <Anchor component="button" type="button" size="sm" underline="always" onClick={() => onAccept(meant)}>
        {text.meant(meant)}
      </Anchor>
    </Text>
  );
}
