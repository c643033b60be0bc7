import { CheckIcon, ClipboardIcon } from '@heroicons/react/24/outline';
import { ActionIcon, CopyButton, Tooltip, VisuallyHidden } from '@mantine/core';
import { common } from '../../strings/common.ts';

/** Button that copies a text and confirms it. `label` says what it copies, where the context does not. */
export function Copy({ value, label = common.copy }: { value: string; label?: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <>
          <Tooltip label={copied ? common.copied : label}>
            <ActionIcon variant="subtle" color="gray" size={24} onClick={copy} aria-label={label}>
              {copied ? <CheckIcon width={16} aria-hidden /> : <ClipboardIcon width={16} aria-hidden />}
            </ActionIcon>
          </Tooltip>
          <VisuallyHidden role="status">{copied && common.copied}</VisuallyHidden>
        </>
      )}
    </CopyButton>
  );
}
