import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Problem } from '../api/problem.ts';
import { useOnce } from '../api/use-once.ts';
import { assistants as text } from '../strings/assistants.ts';
import { showFaults } from '../ui/form-failure.tsx';
import { notifyDone } from '../ui/notify.ts';
import { changesOf } from './changes.ts';
import { checkDraft } from './check-draft.ts';
import { type Draft, draftOf } from './draft.ts';
import { type ReadAssistant, readAnew, remember, updateAssistant } from './queries.ts';
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

/** It could not be saved, since somebody else has saved. */
class Overtaken extends Error {
  readonly theirs: ReadAssistant;

  constructor(theirs: ReadAssistant, cause: unknown) {
    super('Somebody else has saved', { cause });
    this.theirs = theirs;
  }
}

const isConflict = (error: unknown) => error instanceof Problem && error.status === 412;

/** Edits an assistant that is there, and saves it, unless somebody else has saved since: then both versions are shown. */
export function useSaving(latest: ReadAssistant): Saving {
  const cache = useQueryClient();
  const [base, setBase] = useState(latest);
  const draft = useDraft(draftOf(latest.assistant));

  const saving = useOnce({
    mutationFn: async ({ values, on }: Attempt) => {
      checkDraft(values);
      const { id } = on.assistant;
      try {
        return await updateAssistant(id, on.etag, changesOf(draftOf(on.assistant), values));
      } catch (error) {
        throw isConflict(error) ? new Overtaken(await readAnew(cache, id), error) : error;
      }
    },
    onSuccess: async (saved, { values }) => {
      setBase(saved);
      draft.begin(draftOf(saved.assistant), values);
      notifyDone(text.saved);
      await remember(cache, saved);
    },
    onError: (error, { values }) => showFaults(draft.form, error, shownFields(values)),
  });
  const theirs = saving.error instanceof Overtaken ? saving.error.theirs : undefined;

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
  const settle = (values: Draft) => {
    if (!theirs) return;
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
    error: theirs ? null : saving.error,
    conflict: theirs && { theirs, settle, leave: saving.reset },
  };
}
