import { XMarkIcon } from '@heroicons/react/24/outline';
import { Button, Input, Text } from '@mantine/core';
import { toVisibleName } from '../text/visible-text.ts';

interface ChosenProps {
  label: string;
  name: string;
  /** Tooltip that explains the click. */
  title: string;
  onClear: () => void;
}

/** A filter that was chosen. A click clears it. */
export const ChosenFilter = ({ label, name, title, onClear }: ChosenProps) => (
  <Input.Wrapper label={label} labelElement="div">
    <Button
      variant="light"
      fullWidth
      justify="space-between"
      rightSection={<XMarkIcon width={16} aria-hidden />}
      onClick={onClear}
      title={title}
    >
      <Text inherit truncate>
        {toVisibleName(name)}
      </Text>
    </Button>
  </Input.Wrapper>
);
