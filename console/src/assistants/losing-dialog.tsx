import { Button, Group, Text } from '@mantine/core';
import { assistants as text } from '../strings/assistants.ts';
import { Dialog } from '../ui/dialog.tsx';

interface Props {
  title: string;
  /** The words of the button by which changes are lost. */
  action: string;
  opened: boolean;
  onAct: () => void;
  onStay: () => void;
}

/** Asks before unsaved changes are lost. */
export const LosingDialog = ({ title, action, opened, onAct, onStay }: Props) => (
  <Dialog opened={opened} onClose={onStay} title={title}>
    <Text size="sm" mb="md">
      {text.changesLost}
    </Text>
    <Group justify="flex-end">
      <Button variant="default" onClick={onAct}>
        {action}
      </Button>
      <Button data-autofocus onClick={onStay}>
        {text.backToEditing}
      </Button>
    </Group>
  </Dialog>
);
