import { type RefObject, useRef, useState } from 'react';
import { type Draft, emptyDraft } from './draft.ts';
import { readDraft, readObject } from './json-draft.ts';
import { sameJson } from './same-json.ts';
import { type DraftForm, useDraftForm } from './use-draft-form.ts';
import { type JsonText, useJsonText } from './use-json-text.ts';
import { useVendorRows, type VendorRows } from './use-vendor-rows.ts';

/** An assistant that is being edited, by a form and as JSON. */
export interface EditedDraft {
  form: DraftForm;
  /** The whole draft as text. */
  json: JsonText;
  /** The settings of the SIP trunk as text, which is part of the form. */
  sip: JsonText;
  /** The settings of vendors as rows, which are part of the form. */
  vendors: VendorRows;
  /** What the assistant said first before it was to wait for the caller. */
  greeting: RefObject<string>;
  isDirty: boolean;
  /** A text that cannot be read, or a row that is no setting, so that there is nothing to save yet. */
  isBroken: boolean;
  /** Begins anew from what is saved now. What was typed after `sent` went out is kept. */
  begin(saved: Draft, sent?: Draft): void;
}

/** Edits an assistant of which `first` is what is saved. */
export function useDraft(first: Draft): EditedDraft {
  const [saved, setSaved] = useState(first);
  const form = useDraftForm(first);
  const draft = form.values;
  const greeting = useRef(emptyDraft.first_message ?? '');
  const json = useJsonText(draft, (text) => readDraft(text, saved), form.setValues);
  const sip = useJsonText(draft.transport.sip_config, readObject, (next) => {
    form.setFieldValue('transport', { ...draft.transport, sip_config: next }, 'transport.sip_config');
  });
  const vendors = useVendorRows(form, saved);
  const isBroken = json.faults.length > 0 || sip.faults.length > 0 || vendors.isBroken;
  return {
    form,
    json,
    sip,
    vendors,
    greeting,
    isBroken,
    isDirty: isBroken || !sameJson(draft, saved),
    begin(next, sent) {
      setSaved(next);
      if (sent !== undefined && !sameJson(form.getValues(), sent)) return;
      form.setValues(next);
      if (sent !== undefined) return; // what was broken meanwhile stays, too
      json.discard();
      sip.discard();
      vendors.discard();
    },
  };
}
