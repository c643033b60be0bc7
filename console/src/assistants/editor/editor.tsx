import { Alert, Group, SegmentedControl } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { assistants as text } from '../../strings/assistants.ts';
import { type EditedTool, EditedToolDialog } from './edited-tool.tsx';
import classes from './editor.module.css';
import { AssistantForm } from './form/assistant-form.tsx';
import { JsonPane } from './json-pane.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import type { EditedDraft } from './use-draft.ts';

interface Props {
  draft: EditedDraft;
  /** Attached documents, which are not part of the draft. */
  documents: ReactNode;
  /** Id of the assistant. Undefined if it is new. */
  assistantId?: string;
  onSave: () => void;
  /** Renders the pane to try the assistant, in text or by voice. It keeps its conversations while other panes show. */
  trial?: ((pane: string) => ReactNode) | undefined;
  /** True while a request is pending that would discard further input, and for users who may not edit. */
  isLocked?: boolean;
  /** Shown above the panes, such as an error of saving. */
  children?: ReactNode;
}

const tryPanes = ['try', 'talk'] as const;
const isTryPane = (pane: string) => tryPanes.some((one) => one === pane);

/** Editor with panes: form and JSON, and maybe one to try it. On a wide screen, two side by side, else one at a time. */
export function Editor({ draft, documents, assistantId, onSave, trial, isLocked = false, children }: Props) {
  const isWide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false });
  const [editedTool, editTool] = useState<EditedTool>();
  const [chosen, choose] = useState<'both' | 'form' | 'json' | 'try' | 'talk'>('both');
  const [isTried, setTried] = useState(false);
  const pane = chosen === 'both' && !isWide ? 'form' : chosen;
  const isTrial = isTryPane(pane);
  const isSplit = isWide && (pane === 'both' || isTrial);
  const saveByKey = () => {
    // Not from inside a dialog, which asks what to do with the draft.
    if (document.querySelector('[aria-modal=true]')) return;
    // Runs the blur handler of the focused field first, which may pick a model for the vendor that was typed.
    document.activeElement?.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    onSave();
  };
  useHotkeys([['mod+S', saveByKey]], []);
  return (
    <>
      <LeaveGuard isDirty={draft.isDirty} />
      {children}
      <Group mb="md">
        <SegmentedControl
          aria-label={text.pane}
          value={pane}
          onChange={(next) => {
            choose(next);
            if (isTryPane(next)) setTried(true);
          }}
          data={[
            ...(isWide ? [{ value: 'both' as const, label: text.both }] : []),
            { value: 'form', label: text.form },
            { value: 'json', label: text.json },
            ...(trial ? tryPanes.map((value) => ({ value, label: text[value] })) : []),
          ]}
        />
      </Group>
      {pane === 'form' && draft.json.faults.length > 0 && (
        <Alert color="red" mb="md">
          {text.jsonBroken}
        </Alert>
      )}
      <div className={isSplit ? classes.panes : ''}>
        {(isSplit || pane === 'form') && (
          <AssistantForm draft={draft} documents={documents} onEditTool={editTool} isLocked={isLocked} />
        )}
        {(pane === 'both' || pane === 'json') && (
          <div className={classes.beside}>
            <JsonPane draft={draft} isLocked={isLocked} />
          </div>
        )}
        {isTried && (
          <div className={classes.beside} hidden={!isTrial}>
            {trial?.(pane)}
          </div>
        )}
      </div>
      {editedTool && (
        <EditedToolDialog
          draft={draft}
          edited={editedTool}
          assistantId={assistantId}
          onClose={() => editTool(undefined)}
        />
      )}
    </>
  );
}
