import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey } from '../api/types.ts';
import { useIdempotencyKey } from '../api/use-idempotency-key.ts';
import { common } from '../strings/common.ts';
import { keys as text } from '../strings/keys.ts';
import { Failure } from '../ui/feedback/failure.tsx';
import type { Issuing } from '../ui/issuing/issuing-dialog.tsx';
import { rotateKey } from './queries.ts';

interface Props {
  old: ApiKey;
  issuing: Issuing;
  onClose: () => void;
}

const graces = Object.entries(text.graceChoice).map(([value, label]) => ({ value, label }));

/** Form for the grace period of the old key. */
export function RotateForm({ old, issuing, onClose }: Props) {
  const [grace, setGrace] = useState<string | null>('86400');
  const idempotencyKey = useIdempotencyKey();
  const rotate = () => {
    const body = { id: old.id, grace_seconds: Number(grace) };
    issuing.mutate(() => rotateKey(body, idempotencyKey(body)));
  };
  return (
    <Stack>
      <Text size="sm">{text.rotateText}</Text>
      <Select
        label={text.grace}
        description={text.graceHelp}
        data={graces}
        value={grace}
        onChange={setGrace}
        allowDeselect={false}
        data-autofocus
      />
      {issuing.error && <Failure error={issuing.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={issuing.isPending}>
          {common.cancel}
        </Button>
        <Button loading={issuing.isPending} onClick={rotate}>
          {text.rotateIt}
        </Button>
      </Group>
    </Stack>
  );
}
