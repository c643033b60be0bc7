import { useState } from 'react';
import { type Draft, knownSettings, type Part, parts } from './draft.ts';
import { sameJson } from './same-json.ts';
import { faultOf, type RowFault, rowsOf, type SettingRow, settingsOf } from './setting-rows.ts';
import type { DraftForm } from './use-draft-form.ts';

/** A row, and what is wrong with it. */
export interface VendorRow extends SettingRow {
  fault: RowFault | undefined;
}

/** Vendors' own settings, edited as rows, half-written ones too. */
export interface VendorRows {
  of(part: Part): VendorRow[];
  /** Sets the rows of a part, of which the setting called `key` was edited. */
  change(part: Part, rows: SettingRow[], key: string): void;
  /** There is a row that stands for no setting yet. */
  isBroken: boolean;
  /** Goes back to what the settings are. */
  discard(): void;
}

/**
 * The rows of a draft that was made of `saved`. What was typed stands, also what is no setting yet, until the settings are
 * changed elsewhere.
 */
export function useVendorRows(form: DraftForm, saved: Draft): VendorRows {
  const [typed, setTyped] = useState<Partial<Record<Part, SettingRow[]>>>({});

  const judged = (part: Part, rows: SettingRow[]): VendorRow[] =>
    rows.map(({ key, text }, index) => ({ key, text, fault: faultOf(rows, index, knownSettings(part), saved[part]) }));
  const settled = (rows: VendorRow[]) => settingsOf(rows.filter(({ fault }) => !fault));
  function rowsIn(part: Part): VendorRow[] {
    const written = rowsOf(form.values[part], knownSettings(part));
    const rows = judged(part, typed[part] ?? []);
    return sameJson(settled(rows), settingsOf(written)) ? rows : judged(part, written);
  }
  return {
    of: rowsIn,
    change(part, rows, key) {
      setTyped({ ...typed, [part]: rows });
      const known = Object.entries(form.getValues()[part]).filter(([name]) => knownSettings(part).includes(name));
      const next = { ...Object.fromEntries(known), ...settled(judged(part, rows)) };
      form.setFieldValue(part, next as never, `${part}.${key}`);
    },
    isBroken: parts.some((part) => rowsIn(part).some(({ fault }) => fault)),
    discard: () => setTyped({}),
  };
}
