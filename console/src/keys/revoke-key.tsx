import type { ApiKey } from '../api/types.ts';
import { keys as text } from '../strings/keys.ts';
import { ConfirmByTyping } from '../ui/confirm-by-typing.tsx';
import { keysQuery, revokeKey } from './queries.ts';

interface Props {
  apiKey: ApiKey;
  opened: boolean;
  onClose: () => void;
}

/** Revokes a key, once its name has been typed. */
export function RevokeKey({ apiKey: { id, name, masked_key }, opened, onClose }: Props) {
  return (
    <ConfirmByTyping
      title={text.revokeTitle(name)}
      expected={name}
      action={text.revoke}
      opened={opened}
      onClose={onClose}
      act={() => revokeKey(id)}
      done={text.revoked}
      forget={(cache) => cache.invalidateQueries(keysQuery)}
    >
      {text.revokeText(masked_key)}
    </ConfirmByTyping>
  );
}
