import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { refreshKnowledge } from '../../api/refresh.ts';
import { useExclusiveMutation } from '../../api/use-exclusive-mutation.ts';
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts';
import { assistants as text } from '../../strings/assistants.ts';
import { notifyDone, notifyPartialFailure } from '../../ui/feedback/notify.ts';
import { checkDraft } from '../draft/check-draft.ts';
import type { Draft } from '../draft/draft.ts';
import { attachKnowledgeBase, cacheCreated, createAssistant } from '../queries.ts';

interface Options {
  /** Ids of the knowledge bases to attach. */
  knowledgeBaseIds: readonly string[];
  /** Notification after success. */
  doneMessage: string;
}

/** Returns a mutation that creates an assistant from a draft and opens its page. Retries create no second assistant. */
export function useCreateAssistant({ knowledgeBaseIds, doneMessage }: Options) {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const getIdempotencyKey = useIdempotencyKey();
  return useExclusiveMutation({
    mutationFn: async (draft: Draft) => {
      checkDraft(draft);
      return createAssistant(draft, getIdempotencyKey(draft));
    },
    onSuccess: async (created) => {
      const { id } = created.assistant;
      const attached = await Promise.allSettled(knowledgeBaseIds.map((base) => attachKnowledgeBase(id, base)));
      const failed = attached.find((one) => one.status === 'rejected');
      if (failed) notifyPartialFailure(text.notAttached, failed.reason);
      else notifyDone(doneMessage);
      await cacheCreated(cache, created);
      if (knowledgeBaseIds.length > 0) await refreshKnowledge(cache);
      await navigate({
        to: '/assistants/$assistantId',
        params: { assistantId: id },
        ignoreBlocker: true,
        replace: true,
      });
    },
  });
}
