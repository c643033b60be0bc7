import { useState } from 'react';
import { type Draft, listKnownSettings, type Part, parts } from '../draft/draft.ts';
import { isSameJson } from '../draft/same-json.ts';
import { findRowFault, type RowFault, type SettingRow, toRows, toSettings } from '../draft/setting-rows.ts';
import type { DraftForm } from './use-draft-form.ts';

/** A row and its fault. */
export interface VendorRow extends SettingRow {
  fault: RowFault | undefined;
}

/** Vendors' settings, edited as rows that may be incomplete. */
export interface VendorRows {
  get(part: Part): VendorRow[];
  /** Sets the rows of a part after the setting named `key` was edited. */
  change(part: Part, rows: SettingRow[], key: string): void;
  /** True if a row is not a valid setting yet. */
  isBroken: boolean;
  /** Discards the typed rows, and shows the settings. */
  discard(): void;
}

/**
 * Manages the rows of a draft. Keeps rows as typed, even incomplete ones, until the settings change elsewhere. `saved`
 * is the version that the draft started from.
 */
export function useVendorRows(form: DraftForm, saved: Draft): VendorRows {
  const [typed, setTyped] = useState<Partial<Record<Part, SettingRow[]>>>({});

  const addFaults = (part: Part, rows: SettingRow[]): VendorRow[] =>
    rows.map(({ key, text }, index) => ({
      key,
      text,
      fault: findRowFault(rows, index, listKnownSettings(part), saved[part]),
    }));
  const toValidSettings = (rows: VendorRow[]) => toSettings(rows.filter(({ fault }) => !fault));
  function getRows(part: Part): VendorRow[] {
    const settingRows = toRows(form.values[part], listKnownSettings(part));
    const rows = addFaults(part, typed[part] ?? []);
    return isSameJson(toValidSettings(rows), toSettings(settingRows)) ? rows : addFaults(part, settingRows);
  }
  return {
    get: getRows,
    change(part, rows, key) {
      setTyped({ ...typed, [part]: rows });
      const known = Object.entries(form.getValues()[part]).filter(([name]) => listKnownSettings(part).includes(name));
      const next = { ...Object.fromEntries(known), ...toValidSettings(addFaults(part, rows)) };
      form.setFieldValue(part, next as never, `${part}.${key}`);
    },
    isBroken: parts.some((part) => getRows(part).some(({ fault }) => fault)),
    discard: () => setTyped({}),
  };
}
