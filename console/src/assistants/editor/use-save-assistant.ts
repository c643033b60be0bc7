import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../../clients/typescript/src/api-error.ts';
import { useExclusiveMutation } from '../../api/use-exclusive-mutation.ts';
import { assistants as text } from '../../strings/assistants.ts';
import { showFaults } from '../../ui/feedback/form-failure.tsx';
import { notifyDone } from '../../ui/feedback/notify.ts';
import { getChanges } from '../draft/changes.ts';
import { checkDraft } from '../draft/check-draft.ts';
import { type Draft, toDraft } from '../draft/draft.ts';
import { type AssistantWithEtag, cacheUpdated, refetchAssistant, updateAssistant } from '../queries.ts';
import { listShownFields } from './save-failure.tsx';
import { type EditedDraft, useDraft } from './use-draft.ts';

/** Conflict with a version that somebody else saved. */
interface Conflict {
  theirs: AssistantWithEtag;
  /** Saves a merge of both versions. */
  saveMerged: (draft: Draft) => void;
  /** Returns to editing. The next save reports the conflict again. */
  cancel: () => void;
}

interface SaveState {
  draft: EditedDraft;
  /** Version that the draft started from. */
  base: AssistantWithEtag;
  save: () => void;
  /** Reverts the draft to the saved version. */
  discard: () => void;
  isSaving: boolean;
  error: Error | null;
  conflict: Conflict | undefined;
}

interface Attempt {
  values: Draft;
  version: AssistantWithEtag;
}

/** Saving failed because somebody else saved first. */
class SaveConflictError extends Error {
  readonly theirs: AssistantWithEtag;

  constructor(theirs: AssistantWithEtag, cause: unknown) {
    super('Somebody else has saved', { cause });
    this.theirs = theirs;
  }
}

const isConflict = (error: unknown) => error instanceof ApiError && error.status === 412;

/**
 * Manages the draft of an existing assistant and its saving. If somebody else has saved since, returns a conflict with
 * both versions.
 */
export function useSaveAssistant(latest: AssistantWithEtag): SaveState {
  const cache = useQueryClient();
  const [base, setBase] = useState(latest);
  const draft = useDraft(toDraft(latest.assistant));

  const saving = useExclusiveMutation({
    mutationFn: async ({ values, version }: Attempt) => {
      checkDraft(values);
      const { id } = version.assistant;
      try {
        return await updateAssistant(id, version.etag, getChanges(toDraft(version.assistant), values));
      } catch (error) {
        throw isConflict(error) ? new SaveConflictError(await refetchAssistant(cache, id), error) : error;
      }
    },
    onSuccess: async (saved, { values }) => {
      setBase(saved);
      draft.reset(toDraft(saved.assistant), values);
      notifyDone(text.saved);
      await cacheUpdated(cache, saved);
    },
    onError: (error, { values }) => showFaults(draft.form, error, listShownFields(values)),
  });
  const theirs = saving.error instanceof SaveConflictError ? saving.error.theirs : undefined;

  // Adopts the changes of others while nothing is being edited here.
  const isBehind = latest.etag !== base.etag && !draft.isDirty && !saving.isPending;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `draft` changes with every render
  useEffect(() => {
    if (!isBehind) return;
    setBase(latest);
    draft.reset(toDraft(latest.assistant));
  }, [isBehind, latest]);

  const save = () => {
    if (draft.isDirty && !draft.isBroken && !saving.isPending)
      saving.mutate({ values: draft.form.getValues(), version: base });
  };
  const saveMerged = (values: Draft) => {
    if (!theirs) return;
    setBase(theirs);
    draft.reset(toDraft(theirs.assistant));
    draft.form.setValues(values);
    saving.mutate({ values, version: theirs });
  };
  return {
    draft,
    base,
    save,
    discard: () => {
      draft.reset(toDraft(base.assistant));
      saving.reset();
    },
    isSaving: saving.isPending,
    error: theirs ? null : saving.error,
    conflict: theirs && { theirs, saveMerged, cancel: saving.reset },
  };
}
