import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Problem } from '../api/problem.ts';
import { assistants as text } from '../strings/assistants.ts';
import { showFaults } from '../ui/form-failure.tsx';
import { notifyDone } from '../ui/notify.ts';
import { changesOf } from './changes.ts';
import { type Draft, draftOf } from './draft.ts';
import { assistantQuery, type ReadAssistant, remember, updateAssistant } from './queries.ts';
import { shownFields } from './save-failure.tsx';
import { type EditedDraft, useDraft } from './use-draft.ts';

/** Somebody else has saved meanwhile. */
interface Conflict {
  theirs: ReadAssistant;
  /** Saves what was put together of both versions. */
  settle: (draft: Draft) => void;
  /** Goes back to editing; the next attempt to save will ask again. */
  leave: () => void;
}

interface Saving {
  draft: EditedDraft;
  /** The version that the draft was made of. */
  base: ReadAssistant;
  save: () => void;
  /** Goes back to what is saved. */
  discard: () => void;
  isSaving: boolean;
  error: Error | null;
  conflict: Conflict | undefined;
}

interface Attempt {
  values: Draft;
  on: ReadAssistant;
}

const isConflict = (error: unknown) => error instanceof Problem && error.status === 412;

/** Edits an assistant that is there, and saves it, unless somebody else has saved since: then both versions are shown. */
export function useSaving(latest: ReadAssistant): Saving {
  const cache = useQueryClient();
  const [base, setBase] = useState(latest);
  const [theirs, setTheirs] = useState<ReadAssistant>();
  const draft = useDraft(draftOf(latest.assistant));

  const saving = useMutation({
    mutationFn: ({ values, on }: Attempt) =>
      updateAssistant(on.assistant.id, on.etag, changesOf(draftOf(on.assistant), values)),
    onSuccess: async (saved, { values }) => {
      setBase(saved);
      draft.begin(draftOf(saved.assistant), values);
      notifyDone(text.saved);
      await remember(cache, saved);
    },
    onError: async (error, { on }) => {
      if (isConflict(error)) {
        setTheirs(await cache.fetchQuery({ ...assistantQuery(on.assistant.id), staleTime: 0 }));
      } else showFaults(draft.form, error, shownFields);
    },
  });

  // What others save shows at once, as long as nothing is being edited here.
  const isBehind = latest.etag !== base.etag && !draft.isDirty && !saving.isPending;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `draft` is new each time it is drawn
  useEffect(() => {
    if (!isBehind) return;
    setBase(latest);
    draft.begin(draftOf(latest.assistant));
  }, [isBehind, latest]);

  const save = () => {
    if (draft.isDirty && !draft.isBroken && !saving.isPending)
      saving.mutate({ values: draft.form.getValues(), on: base });
  };
  const leave = () => setTheirs(undefined);
  const settle = (values: Draft) => {
    if (!theirs) return;
    leave();
    setBase(theirs);
    draft.begin(draftOf(theirs.assistant));
    draft.form.setValues(values);
    saving.mutate({ values, on: theirs });
  };
  return {
    draft,
    base,
    save,
    discard: () => {
      draft.begin(draftOf(base.assistant));
      saving.reset();
    },
    isSaving: saving.isPending,
    error: isConflict(saving.error) ? null : saving.error,
    conflict: theirs && { theirs, settle, leave },
  };
}
