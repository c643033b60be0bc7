import { Button, Group, Text } from '@mantine/core';
import { assistants as text } from '../../strings/assistants.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';

interface Props {
  title: string;
  /** Label of the button that discards the changes. */
  action: string;
  opened: boolean;
  onDiscard: () => void;
  onCancel: () => void;
}

/** Asks before unsaved changes are discarded. */
export const DiscardDialog = ({ title, action, opened, onDiscard, onCancel }: Props) => (
  <Dialog opened={opened} onClose={onCancel} title={title}>
    <Text size="sm" mb="md">
      {text.changesLost}
    </Text>
    <Group justify="flex-end">
      <Button variant="default" onClick={onDiscard}>
        {action}
      </Button>
      <Button data-autofocus onClick={onCancel}>
        {text.backToEditing}
      </Button>
    </Group>
  </Dialog>
);
