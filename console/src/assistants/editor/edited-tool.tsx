import { lazyComponent } from '../../ui/loading/lazy.tsx';
import type { Tool } from '../draft/tools.ts';
import type { EditedDraft } from './use-draft.ts';

// Lazy, because most visits change the prompt.
const ToolDialog = lazyComponent(() => import('./form/tools/tool-dialog.tsx'), 'ToolDialog');

/** A tool that is edited, and its place in the list. A new one is at the end. */
export interface EditedTool {
  tool: Tool;
  index: number;
}

interface Props {
  draft: EditedDraft;
  edited: EditedTool;
  /** Id of the assistant. Undefined if it is new. */
  assistantId: string | undefined;
  onClose: () => void;
}

/** Dialog of a tool, outside of the panes: it stays when the window gets narrower. */
export function EditedToolDialog({ draft: { form, saved }, edited, assistantId, onClose }: Props) {
  const { tools } = form.values;
  return (
    <ToolDialog
      first={edited.tool}
      isNew={edited.index === tools.length}
      taken={tools.filter((_, index) => index !== edited.index).map(({ name = '' }) => name.toLowerCase())}
      assistantId={assistantId}
      saved={saved.tools}
      onDone={(tool) => {
        form.setFieldValue('tools', tools.toSpliced(edited.index, 1, tool));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
