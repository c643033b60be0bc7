import type { ApiKey } from '../api/types.ts';
import { keys as text } from '../strings/keys.ts';
import { ConfirmByTyping } from '../ui/dialog/confirm-by-typing.tsx';
import { keysQuery, revokeKey } from './queries.ts';

interface Props {
  apiKey: ApiKey;
  opened: boolean;
  onClose: () => void;
}

/** Revokes a key after the user has typed its name. */
export function RevokeKey({ apiKey: { id, name, masked_key }, opened, onClose }: Props) {
  return (
    <ConfirmByTyping
      title={text.revokeTitle(name)}
      expected={name}
      action={text.revoke}
      opened={opened}
      onClose={onClose}
      run={() => revokeKey(id)}
      doneMessage={text.revoked}
      removeFromCache={(cache) => cache.invalidateQueries(keysQuery)}
    >
      {text.revokeText(masked_key)}
    </ConfirmByTyping>
  );
}
