import type { Credential } from '../api/types.ts';
import { credentials as text } from '../strings/credentials.ts';
import { ConfirmByTyping } from '../ui/dialog/confirm-by-typing.tsx';
import { credentialsQuery, deleteCredential } from './queries.ts';

interface Props {
  credential: Credential;
  opened: boolean;
  onClose: () => void;
}

/** Deletes a credential after the user has typed its service and name: many are named `default`. */
export function DeleteCredential({ credential, opened, onClose }: Props) {
  const { service_type, name } = credential;
  return (
    <ConfirmByTyping
      title={text.deleteTitle(service_type, name)}
      expected={`${service_type}/${name}`}
      action={text.delete}
      opened={opened}
      onClose={onClose}
      run={() => deleteCredential(credential)}
      doneMessage={text.deleted}
      removeFromCache={(cache) => cache.invalidateQueries(credentialsQuery)}
    >
      {text.deleteText}
    </ConfirmByTyping>
  );
}
