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

/** Deletes a call, once the name of its room has been typed. */
export function DeleteCall({ session: { session_id, room_name }, opened, onClose, onDeleted }: Props) {
  return (
    <ConfirmByTyping
      title={text.deleteTitle}
      expected={room_name}
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
