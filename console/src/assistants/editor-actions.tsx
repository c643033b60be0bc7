import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { assistants as text } from '../strings/assistants.ts';
import type { EditedDraft } from './use-draft.ts';

interface Props {
  draft: EditedDraft;
  onSave: () => void;
  isSaving: boolean;
  /** The words of the button. */
  save: string;
  /** It is not there yet, so that it can be created as it is. */
  isNew?: boolean;
  /** What else one can do. */
  children?: ReactNode;
}

/** What one can do with a draft: above all, save it. */
export function EditorActions({ draft, onSave, isSaving, save, isNew = false, children }: Props) {
  return (
    <Group gap="xs">
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
