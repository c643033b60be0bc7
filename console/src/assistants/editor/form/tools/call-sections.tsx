import { tools as text } from '../../../../strings/tools.ts';
import { Section } from '../../../../ui/page/section.tsx';
import type { EditedTool } from '../../edited-tool.tsx';
import type { EditedDraft } from '../../use-draft.ts';
import { ToolSection } from './tool-section.tsx';
import { VariableSection } from './variable-section.tsx';

interface Props {
  draft: EditedDraft;
  /** Opens the dialog of a tool. */
  onEditTool: (edited: EditedTool) => void;
}

/** Sections on what a call needs besides its vendors: tools and variables. */
export const CallSections = ({ draft, onEditTool }: Props) => (
  <>
    <Section title={text.title} hint={text.hint}>
      <ToolSection draft={draft} onEdit={onEditTool} />
    </Section>
    <Section title={text.variables} hint={text.variablesHint}>
      <VariableSection draft={draft} />
    </Section>
  </>
);
