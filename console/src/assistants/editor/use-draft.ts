import { type RefObject, useRef, useState } from 'react';
import { type Draft, emptyDraft } from '../draft/draft.ts';
import { parseDraft, parseObject } from '../draft/json-draft.ts';
import { isSameJson } from '../draft/same-json.ts';
import { type DraftForm, useDraftForm } from './use-draft-form.ts';
import { type JsonText, useJsonText } from './use-json-text.ts';
import { useVendorRows, type VendorRows } from './use-vendor-rows.ts';

/** A draft that is edited in a form and as JSON. */
export interface EditedDraft {
  form: DraftForm;
  /** Version that the draft started from. */
  saved: Draft;
  /** Text of the whole draft. */
  json: JsonText;
  /** Text of the SIP settings, which is part of the form. */
  sip: JsonText;
  /** Rows of the vendors' settings, which are part of the form. */
  vendors: VendorRows;
  /** First message to restore if the user lets the assistant speak first again. */
  greeting: RefObject<string>;
  /** Variables to restore if the user makes the texts templates again. */
  lastVariables: RefObject<NonNullable<Draft['variables']>>;
  isDirty: boolean;
  /** True if a text has a mistake or a row is incomplete, so that the draft cannot be saved. */
  isBroken: boolean;
  /** Restarts from the saved state. Keeps changes made after `sent` was sent. */
  reset(saved: Draft, sent?: Draft): void;
}

/** Manages a draft that starts from `first`, the saved state. */
export function useDraft(first: Draft): EditedDraft {
  const [saved, setSaved] = useState(first);
  const form = useDraftForm(first);
  const draft = form.values;
  const greeting = useRef(emptyDraft.first_message ?? '');
  const lastVariables = useRef<NonNullable<Draft['variables']>>({});
  const json = useJsonText(draft, (text) => parseDraft(text, saved), form.setValues);
  const sip = useJsonText(draft.transport.sip_config, parseObject, (next) => {
    form.setFieldValue('transport', { ...draft.transport, sip_config: next }, 'transport.sip_config');
  });
  const vendors = useVendorRows(form, saved);
  const isBroken = json.faults.length > 0 || sip.faults.length > 0 || vendors.isBroken;
  return {
    form,
    saved,
    json,
    sip,
    vendors,
    greeting,
    lastVariables,
    isBroken,
    isDirty: isBroken || !isSameJson(draft, saved),
    reset(next, sent) {
      setSaved(next);
      if (sent !== undefined && !isSameJson(form.getValues(), sent)) return;
      form.setValues(next);
      if (sent !== undefined) return; // keeps mistakes made since then too
      json.discard();
      sip.discard();
      vendors.discard();
    },
  };
}
