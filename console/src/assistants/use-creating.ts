import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useIdempotencyKey } from '../api/idempotency.ts';
import { useOnce } from '../api/use-once.ts';
import { refresh } from '../knowledge/queries.ts';
import { assistants as text } from '../strings/assistants.ts';
import { notifyDone, notifyPartly } from '../ui/notify.ts';
import { checkDraft } from './check-draft.ts';
import type { Draft } from './draft.ts';
import { attach, createAssistant, rememberNew } from './queries.ts';

interface Creating {
  /** The ids of the knowledge bases to attach to it. */
  knowledge: readonly string[];
  /** What to say when it is there. */
  done: string;
}

/** Creates an assistant of a draft, once however often it is sent, and goes to its page. */
export function useCreating({ knowledge, done }: Creating) {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const keyOf = useIdempotencyKey();
  return useOnce({
    mutationFn: async (draft: Draft) => {
      checkDraft(draft);
      return createAssistant(draft, keyOf(draft));
    },
    onSuccess: async (created) => {
      const { id } = created.assistant;
      const attached = await Promise.allSettled(knowledge.map((base) => attach(id, base)));
      const failed = attached.find((one) => one.status === 'rejected');
      if (failed) notifyPartly(text.notAttached, failed.reason);
      else notifyDone(done);
      await rememberNew(cache, created);
      if (knowledge.length > 0) await refresh(cache);
      await navigate({
        to: '/assistants/$assistantId',
        params: { assistantId: id },
        ignoreBlocker: true,
        replace: true,
      });
    },
  });
}
