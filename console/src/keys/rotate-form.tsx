import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useIdempotencyKey } from '../api/idempotency.ts';
import type { ApiKey, IssuedApiKey } from '../api/types.ts';
import { useOnce } from '../api/use-once.ts';
import { common } from '../strings/common.ts';
import { keys as text } from '../strings/keys.ts';
import { Failure } from '../ui/failure.tsx';
import { type Rotation, rotateKey } from './queries.ts';

interface Props {
  old: ApiKey;
  onIssued: (issued: IssuedApiKey) => void;
  onClose: () => void;
}

const graces = Object.entries(text.graceChoice).map(([value, label]) => ({ value, label }));

/** Asks for how long the old key stays good beside the new one. */
export function RotateForm({ old, onIssued, onClose }: Props) {
  const [grace, setGrace] = useState<string | null>('86400');
  const idempotencyKey = useIdempotencyKey();
  const rotation = useOnce({
    mutationFn: (body: Rotation) => rotateKey(body, idempotencyKey(body)),
    // What it answers has the key in it.
    gcTime: 0,
    onSuccess: onIssued,
  });
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
      {rotation.error && <Failure error={rotation.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button
          loading={rotation.isPending}
          onClick={() => rotation.mutate({ id: old.id, grace_seconds: Number(grace) })}
        >
          {text.rotateIt}
        </Button>
      </Group>
    </Stack>
  );
}
