import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Credential } from '../api/types.ts';
import { credentials as text } from '../strings/credentials.ts';
import { ConfirmByTyping } from '../ui/confirm-by-typing.tsx';
import { notifyDone } from '../ui/notify.ts';
import { credentialsQuery, deleteCredential } from './queries.ts';

interface Props {
  credential: Credential;
  opened: boolean;
  onClose: () => void;
}

/** Deletes a credential, once its service and name have been typed: many are called `default`. */
export function DeleteCredential({ credential, opened, onClose }: Props) {
  const cache = useQueryClient();
  const { service_type, name } = credential;
  const deletion = useMutation({
    mutationFn: () => deleteCredential(credential),
    onSuccess: async () => {
      onClose();
      notifyDone(text.deleted);
      await cache.invalidateQueries(credentialsQuery);
    },
  });
  return (
    <ConfirmByTyping
      title={text.deleteTitle(service_type, name)}
      expected={`${service_type}/${name}`}
      action={text.delete}
      opened={opened}
      onClose={onClose}
      onConfirm={deletion.mutate}
      isPending={deletion.isPending}
      error={deletion.error}
    >
      {text.deleteText}
    </ConfirmByTyping>
  );
}
