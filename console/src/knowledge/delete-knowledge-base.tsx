import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Problem } from '../api/problem.ts';
import type { KnowledgeBase } from '../api/types.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { ConfirmByTyping } from '../ui/confirm-by-typing.tsx';
import { deleteKnowledgeBase, forget, knowledgeBaseQuery } from './queries.ts';

interface Props {
  record: KnowledgeBase;
  opened: boolean;
  onClose: () => void;
  /** Leaves the page of what is gone. */
  onDeleted: () => Promise<void>;
}

/**
 * Deletes a knowledge base, once its name has been typed. One that is in use is detached first, but only where the dialog has
 * said so: where somebody attaches it meanwhile, the service refuses, the record is read again, and the dialog says it now.
 */
export function DeleteKnowledgeBase({ record, opened, onClose, onDeleted }: Props) {
  const { id, name, attached_assistant_ids } = record;
  const cache = useQueryClient();
  const isAttached = attached_assistant_ids.length > 0;
  const readAgain = async (error: Error) => {
    if (error instanceof Problem && error.status === 409)
      await cache.invalidateQueries({ queryKey: knowledgeBaseQuery(id).queryKey });
  };
  return (
    <ConfirmByTyping
      title={text.deleteTitle(name)}
      expected={name}
      action={isAttached ? text.deleteDetaching : text.delete}
      opened={opened}
      onClose={onClose}
      act={() => deleteKnowledgeBase(id, isAttached)}
      done={text.deleted}
      onDone={onDeleted}
      forget={(cache) => forget(cache, id)}
      onError={readAgain}
    >
      <Text size="sm">{text.deleteText}</Text>
      {isAttached && (
        <Text size="sm" fw={500} mt="xs">
          {text.deleteAttached(attached_assistant_ids.length)}
        </Text>
      )}
    </ConfirmByTyping>
  );
}
