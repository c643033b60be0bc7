import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../clients/typescript/src/api-error.ts';
import type { KnowledgeBase } from '../api/types.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { ConfirmByTyping } from '../ui/dialog/confirm-by-typing.tsx';
import { deleteKnowledgeBase, knowledgeBaseQuery, removeFromCache } from './queries.ts';

interface Props {
  record: KnowledgeBase;
  opened: boolean;
  onClose: () => void;
  /** Leaves the page of the deleted knowledge base. */
  onDeleted: () => Promise<void>;
}

/**
 * Deletes a knowledge base after the user has typed its name. Detaches it first if the dialog has said so. If somebody
 * attaches it in the meantime, the API rejects the request, the record is refetched, and the dialog says so now.
 */
export function DeleteKnowledgeBase({ record, opened, onClose, onDeleted }: Props) {
  const { id, name, attached_assistant_ids } = record;
  const cache = useQueryClient();
  const isAttached = attached_assistant_ids.length > 0;
  const refetchOnConflict = async (error: Error) => {
    if (error instanceof ApiError && error.status === 409)
      await cache.invalidateQueries({ queryKey: knowledgeBaseQuery(id).queryKey });
  };
  return (
    <ConfirmByTyping
      title={text.deleteTitle(name)}
      expected={name}
      action={isAttached ? text.deleteDetaching : text.delete}
      opened={opened}
      onClose={onClose}
      run={() => deleteKnowledgeBase(id, isAttached)}
      doneMessage={text.deleted}
      onDone={onDeleted}
      removeFromCache={(cache) => removeFromCache(cache, id)}
      onError={refetchOnConflict}
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
