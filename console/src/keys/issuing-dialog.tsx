import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { IssuedApiKey } from '../api/types.ts';
import { Dialog } from '../ui/dialog.tsx';
import { IssuedKey } from './issued-key.tsx';
import { keysQuery } from './queries.ts';

interface Props {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** What is asked before. It hands over the key that it got. */
  children: (onIssued: (issued: IssuedApiKey) => void) => ReactNode;
}

/** Asks for what a new key takes, then shows it, and from then on does not close by accident. */
export function IssuingDialog({ title, opened, onClose, children }: Props) {
  const [isGuarded, setGuarded] = useState(false);
  const close = () => {
    setGuarded(false);
    onClose();
  };
  return (
    <Dialog
      title={title}
      opened={opened}
      onClose={close}
      closeOnEscape={!isGuarded}
      closeOnClickOutside={!isGuarded}
      withCloseButton={!isGuarded}
    >
      <Steps onIssued={() => setGuarded(true)} onDone={close}>
        {children}
      </Steps>
    </Dialog>
  );
}

interface StepsProps extends Pick<Props, 'children'> {
  onIssued: () => void;
  onDone: () => void;
}

/** In a component of its own, so that the key is gone with it when the dialog closes. */
function Steps({ children, onIssued, onDone }: StepsProps) {
  const cache = useQueryClient();
  const [issued, setIssued] = useState<IssuedApiKey>();
  const show = (key: IssuedApiKey) => {
    setIssued(key);
    onIssued();
    void cache.invalidateQueries(keysQuery);
  };
  return issued ? <IssuedKey issued={issued} onDone={onDone} /> : children(show);
}
