import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useIdempotencyKey } from '../api/use-idempotency-key.ts';
import { common } from '../strings/common.ts';
import { webhooks as text } from '../strings/webhooks.ts';
import { Failure } from '../ui/feedback/failure.tsx';
import type { Issuing } from '../ui/issuing/issuing-dialog.tsx';
import { rotateSecret } from './queries.ts';

const graces = Object.entries(text.graceChoice).map(([value, label]) => ({ value, label }));

/** Form for the grace period of the old secret. */
export function RotateForm({ id, issuing, onClose }: { id: string; issuing: Issuing; onClose: () => void }) {
  const [grace, setGrace] = useState<string | null>('86400');
  const idempotencyKey = useIdempotencyKey();
  const rotate = () => issuing.mutate(() => rotateSecret(id, Number(grace), idempotencyKey({ id, grace })));
  return (
    <Stack>
      <Text size="sm">{text.rotateText}</Text>
      <Select label={text.grace} data={graces} value={grace} onChange={setGrace} allowDeselect={false} data-autofocus />
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
