import { EyeIcon, EyeSlashIcon } from '@heroicons/react/24/outline';
import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { common } from '../strings/common.ts';
import classes from './secret-input.module.css';

/** Where the style sheet can hide what is typed, which by now is in every engine. */
const canHide = CSS.supports('-webkit-text-security', 'disc');

/** What tells password managers that this is nothing of theirs. */
const notForManagers = {
  autoComplete: 'off',
  'data-1p-ignore': true,
  'data-bwignore': true,
  'data-lpignore': 'true',
  'data-form-type': 'other',
};

/**
 * A field for a secret that nobody signs in with, hidden unless one asks to see it. Browsers offer to save whatever is
 * typed into a password field, and heed no attribute there. So it is a text field that looks like one.
 */
export function SecretInput(props: TextInputProps) {
  const [isShown, setShown] = useState(false);
  const label = isShown ? common.hide : common.show;
  return (
    <TextInput
      {...props}
      {...notForManagers}
      type={isShown || canHide ? 'text' : 'password'}
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      classNames={isShown ? {} : { input: classes.hidden }}
      rightSection={
        <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => setShown(!isShown)}>
          {isShown ? <EyeSlashIcon width={18} aria-hidden /> : <EyeIcon width={18} aria-hidden />}
        </ActionIcon>
      }
    />
  );
}
