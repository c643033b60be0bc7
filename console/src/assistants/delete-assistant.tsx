import { assistants as text } from '../strings/assistants.ts';
import { ConfirmByTyping } from '../ui/dialog/confirm-by-typing.tsx';
import { deleteAssistant, removeFromCache } from './queries.ts';

interface Props {
  id: string;
  name: string;
  opened: boolean;
  onClose: () => void;
  /** Leaves the page of the deleted assistant, if that page is open. */
  onDeleted?: () => Promise<void>;
}

/** Deletes an assistant after the user has typed its name. */
export function DeleteAssistant({ id, name, opened, onClose, onDeleted }: Props) {
  return (
    <ConfirmByTyping
      title={text.deleteTitle(name)}
      expected={name}
      action={text.delete}
      opened={opened}
      onClose={onClose}
      run={() => deleteAssistant(id)}
      doneMessage={text.deleted}
      onDone={onDeleted}
      removeFromCache={(cache) => removeFromCache(cache, id)}
    >
      {text.deleteText}
    </ConfirmByTyping>
  );
}
