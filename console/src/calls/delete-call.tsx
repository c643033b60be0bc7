import type { Session } from '../api/types.ts';
import { calls as text } from '../strings/calls.ts';
import { ConfirmByTyping } from '../ui/dialog/confirm-by-typing.tsx';
import { deleteCall, removeFromCache } from './queries.ts';

interface Props {
  session: Session;
  opened: boolean;
  onClose: () => void;
  /** Leaves the page of the deleted call. */
  onDeleted: () => Promise<void>;
}

/** Deletes a call after the user has typed "delete": a call has no name, and its room's name may be long. */
export function DeleteCall({ session: { session_id }, opened, onClose, onDeleted }: Props) {
  return (
    <ConfirmByTyping
      title={text.deleteTitle}
      expected={text.deleteWord}
      action={text.delete}
      opened={opened}
      onClose={onClose}
      run={() => deleteCall(session_id)}
      doneMessage={text.deleted}
      onDone={onDeleted}
      removeFromCache={(cache) => removeFromCache(cache, session_id)}
    >
      {text.deleteText}
    </ConfirmByTyping>
  );
}
