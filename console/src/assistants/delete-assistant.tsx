import { assistants as text } from '../strings/assistants.ts';
import { ConfirmByTyping } from '../ui/confirm-by-typing.tsx';
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
  return (
    <ConfirmByTyping
      title={text.deleteTitle(name)}
      expected={name}
      action={text.delete}
      opened={opened}
      onClose={onClose}
      act={() => deleteAssistant(id)}
      done={text.deleted}
      onDone={onDeleted}
      forget={(cache) => forget(cache, id)}
    >
      {text.deleteText}
    </ConfirmByTyping>
  );
}
