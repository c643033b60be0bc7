import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '../api/types.ts';
import { keys as text } from '../strings/keys.ts';
import { ConfirmByTyping } from '../ui/confirm-by-typing.tsx';
import { notifyDone } from '../ui/notify.ts';
import { keysQuery, revokeKey } from './queries.ts';

interface Props {
  apiKey: ApiKey;
  opened: boolean;
  onClose: () => void;
}

/** Revokes a key, once its name has been typed. */
export function RevokeKey({ apiKey: { id, name, masked_key }, opened, onClose }: Props) {
  const cache = useQueryClient();
  const revocation = useMutation({
    mutationFn: () => revokeKey(id),
    onSuccess: async () => {
      onClose();
      notifyDone(text.revoked);
      await cache.invalidateQueries(keysQuery);
    },
  });
  return (
    <ConfirmByTyping
      title={text.revokeTitle(name)}
      expected={name}
      action={text.revoke}
      opened={opened}
      onClose={onClose}
      onConfirm={revocation.mutate}
      isPending={revocation.isPending}
      error={revocation.error}
    >
      {text.revokeText(masked_key)}
    </ConfirmByTyping>
  );
}
