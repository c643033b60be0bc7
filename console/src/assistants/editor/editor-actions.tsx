import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { assistants as text } from '../../strings/assistants.ts';
import classes from './editor.module.css';
import type { EditedDraft } from './use-draft.ts';

interface Props {
  draft: EditedDraft;
  onSave: () => void;
  isSaving: boolean;
  /** Label of the save button. */
  save: string;
  /** True if it does not exist yet: an unchanged draft can then be saved. */
  isNew?: boolean;
  /** More buttons. */
  children?: ReactNode;
}

/** Buttons for a draft, with the state of its changes. */
export function EditorActions({ draft, onSave, isSaving, save, isNew = false, children }: Props) {
  return (
    <Group gap="xs" className={classes.actions}>
      {draft.isDirty && (
        <Text size="sm" c="dimmed" role="status" visibleFrom="sm">
          {text.unsaved}
        </Text>
      )}
      {children}
      <Button onClick={onSave} loading={isSaving} disabled={!(isNew || draft.isDirty) || draft.isBroken}>
        {save}
      </Button>
    </Group>
  );
}
