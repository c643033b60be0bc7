import type { Session } from '../api/types.ts';
import { calls as text } from '../strings/calls.ts';
import { ConfirmByTyping } from '../ui/confirm-by-typing.tsx';
import { deleteCall, forget } from './queries.ts';

interface Props {
  session: Session;
  opened: boolean;
  onClose: () => void;
  /** Leaves the page of what is gone. */
  onDeleted: () => Promise<void>;
}

/** Deletes a call, once one has typed so: it has no name of its own, and that of its room may be long. */
export function DeleteCall({ session: { session_id }, opened, onClose, onDeleted }: Props) {
  return (
    <ConfirmByTyping
      title={text.deleteTitle}
      expected={text.deleteWord}
      action={text.delete}
      opened={opened}
      onClose={onClose}
      act={() => deleteCall(session_id)}
      done={text.deleted}
      onDone={onDeleted}
      forget={(cache) => forget(cache, session_id)}
    >
      {text.deleteText}
    </ConfirmByTyping>
  );
}
