import { useMutation, useQueryClient } from '@tanstack/react-query';
import { assistants as text } from '../strings/assistants.ts';
import { ConfirmByTyping } from '../ui/confirm-by-typing.tsx';
import { notifyDone } from '../ui/notify.ts';
import { deleteAssistant, forget } from './queries.ts';

interface Props {
  id: string;
  name: string;
  opened: boolean;
  onClose: () => void;
  /** Leaves the page of what is gone, where that is the page. */
  onDeleted?: () => Promise<void>;
}

/** Deletes an assistant, once its name has been typed. */
export function DeleteAssistant({ id, name, opened, onClose, onDeleted }: Props) {
  const cache = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => deleteAssistant(id),
    onSuccess: async () => {
      onClose();
      await onDeleted?.();
      notifyDone(text.deleted);
      await forget(cache, id);
    },
  });
  return (
    <ConfirmByTyping
      title={text.deleteTitle(name)}
      expected={name}
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
