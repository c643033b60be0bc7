import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { type Draft, draftFields } from './draft.ts';
import { readDraft, readObject } from './json-draft.ts';
import { sameJson } from './same-json.ts';
import { type JsonText, useJsonText } from './use-json-text.ts';

export type DraftForm = UseFormReturnType<Draft>;

/** An assistant that is being edited, by a form and as JSON. */
export interface EditedDraft {
  form: DraftForm;
  /** The whole draft as text. */
  json: JsonText;
  /** The settings of the SIP trunk as text, which is part of the form. */
  sip: JsonText;
  isDirty: boolean;
  /** A text that cannot be read, so that there is nothing to save yet. */
  isBroken: boolean;
  /** Begins anew from what is saved now. What was typed after `sent` went out is kept. */
  begin(saved: Draft, sent?: Draft): void;
}

/** Edits an assistant of which `first` is what is saved. */
export function useDraft(first: Draft): EditedDraft {
  const [saved, setSaved] = useState(first);
  const form = useForm<Draft>({ initialValues: first });
  const draft = form.values;
  const json = useJsonText(draft, readDraft, (next) => {
    for (const field of draftFields) form.setFieldValue(field, next[field]);
  });
  const sip = useJsonText(draft.transport.sip_config, readObject, (next) => {
    form.setFieldValue('transport.sip_config', next);
  });
  const isBroken = json.faults.length > 0 || sip.faults.length > 0;
  return {
    form,
    json,
    sip,
    isBroken,
    isDirty: isBroken || !sameJson(draft, saved),
    begin(next, sent) {
      setSaved(next);
      if (sent === undefined || sameJson(form.getValues(), sent)) {
        form.setValues(next);
        form.clearErrors();
        json.discard();
        sip.discard();
      }
    },
  };
}
