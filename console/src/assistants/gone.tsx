import { Alert, Button, Stack, Text } from '@mantine/core';
import { assistants as text } from '../strings/assistants.ts';

interface Props {
  onCreate: () => void;
  isCreating: boolean;
  /** Not all that was typed can be saved. */
  isBroken: boolean;
}

/** Somebody has deleted the assistant that is being edited. What was typed stays, and can be made a new one. */
export const Gone = ({ onCreate, isCreating, isBroken }: Props) => (
  <Alert color="red" title={text.gone} role="alert" mb="md">
    <Stack gap="sm" align="flex-start">
      <Text size="sm">{text.goneText}</Text>
      <Button variant="default" onClick={onCreate} loading={isCreating} disabled={isBroken}>
        {text.createAnew}
      </Button>
    </Stack>
  </Alert>
);
