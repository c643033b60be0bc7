import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Session } from '../api/types.ts';
import { calls as text } from '../strings/calls.ts';
import { ConfirmByTyping } from '../ui/confirm-by-typing.tsx';
import { notifyDone } from '../ui/notify.ts';
import { deleteCall, forget } from './queries.ts';

interface Props {
  session: Session;
  opened: boolean;
  onClose: () => void;
  /** Leaves the page of what is gone. */
  onDeleted: () => Promise<void>;
}

/** Deletes a call, once the name of its room has been typed. */
export function DeleteCall({ session: { session_id, room_name }, opened, onClose, onDeleted }: Props) {
  const cache = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => deleteCall(session_id),
    onSuccess: async () => {
      onClose();
      await onDeleted();
      notifyDone(text.deleted);
      await forget(cache, session_id);
    },
  });
  return (
    <ConfirmByTyping
      title={text.deleteTitle}
      expected={room_name}
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
