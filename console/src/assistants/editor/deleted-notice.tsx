import { Alert, Button, Stack, Text } from '@mantine/core';
import { assistants as text } from '../../strings/assistants.ts';

interface Props {
  onCreate: () => void;
  isCreating: boolean;
  /** True if the draft has a mistake, so that it cannot be saved. */
  isBroken: boolean;
}

/**
 * Says that somebody deleted the assistant during editing. Offers to create a new one from the draft, which is kept.
 */
export const DeletedNotice = ({ onCreate, isCreating, isBroken }: Props) => (
  <Alert color="red" title={text.gone} role="alert" mb="md">
    <Stack gap="sm" align="flex-start">
      <Text size="sm">{text.goneText}</Text>
      <Button variant="default" onClick={onCreate} loading={isCreating} disabled={isBroken}>
        {text.createAnew}
      </Button>
    </Stack>
  </Alert>
);
