import type { ComponentProps } from 'react';
import { TalkPane } from '../talk/talk-pane.tsx';
import { TryPane } from './try-pane.tsx';

interface Props extends ComponentProps<typeof TryPane> {
  /** `try` or `talk`, else none. */
  pane: string;
}

/** Panes to try an assistant: in text, and by voice. They load together, since they share most of their code. */
export const TrialPanes = ({ pane, ...props }: Props) => (
  <>
    <div hidden={pane !== 'try'}>
      <TryPane {...props} />
    </div>
    <div hidden={pane !== 'talk'}>
      <TalkPane {...props} />
    </div>
  </>
);
