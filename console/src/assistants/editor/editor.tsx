import { Alert, Group, SegmentedControl } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { assistants as text } from '../../strings/assistants.ts';
import classes from './editor.module.css';
import { AssistantForm } from './form/assistant-form.tsx';
import { JsonPane } from './json-pane.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import type { EditedDraft } from './use-draft.ts';

interface Props {
  draft: EditedDraft;
  /** Attached documents, which are not part of the draft. */
  documents: ReactNode;
  onSave: () => void;
  /** True while a request is pending that would discard further input. */
  isLocked?: boolean;
  /** Shown above the panes, such as an error of saving. */
  children?: ReactNode;
}

/** Editor with two panes, form and JSON: side by side on a wide screen, or one at a time. */
export function Editor({ draft, documents, onSave, isLocked = false, children }: Props) {
  const isWide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false });
  const [chosen, choose] = useState<'both' | 'form' | 'json'>('both');
  const pane = chosen === 'both' && !isWide ? 'form' : chosen;
  const saveByKey = () => {
    // Not from inside a dialog, which asks what to do with the draft.
    if (document.querySelector('[aria-modal=true]')) return;
    // Runs the blur handler of the focused field first, which may pick a model for the vendor that was typed.
    document.activeElement?.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    onSave();
  };
  useHotkeys([['mod+S', saveByKey]], []);
  const panes = {
    form: <AssistantForm draft={draft} documents={documents} isLocked={isLocked} />,
    json: <JsonPane draft={draft} isLocked={isLocked} />,
  };
  return (
    <>
      <LeaveGuard isDirty={draft.isDirty} />
      {children}
      <Group mb="md">
        <SegmentedControl
          aria-label={text.pane}
          value={pane}
          onChange={choose}
          data={[
            ...(isWide ? [{ value: 'both' as const, label: text.both }] : []),
            { value: 'form', label: text.form },
            { value: 'json', label: text.json },
          ]}
        />
      </Group>
      {pane === 'form' && draft.json.faults.length > 0 && (
        <Alert color="red" mb="md">
          {text.jsonBroken}
        </Alert>
      )}
      {pane === 'both' ? (
        <div className={classes.panes}>
          {panes.form}
          <div className={classes.beside}>{panes.json}</div>
        </div>
      ) : (
        panes[pane]
      )}
    </>
  );
}
