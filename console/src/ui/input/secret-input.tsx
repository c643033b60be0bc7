import { EyeIcon, EyeSlashIcon } from '@heroicons/react/24/outline';
import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { common } from '../../strings/common.ts';
import classes from './secret-input.module.css';

/** True if CSS can mask the text, which all current browser engines support. */
const canMask = CSS.supports('-webkit-text-security', 'disc');

/** Attributes that make password managers ignore the field. */
const passwordManagerOptOut = {
  autoComplete: 'off',
  'data-1p-ignore': true,
  'data-bwignore': true,
  'data-lpignore': 'true',
  'data-form-type': 'other',
};

/**
 * Field for a secret that is not a password, masked until the user reveals it. Browsers offer to save the content of
 * any password field and ignore all attributes against it, so this is a text field that looks like one.
 */
export function SecretInput(props: TextInputProps) {
  const [isRevealed, setRevealed] = useState(false);
  const label = isRevealed ? common.hide : common.show;
  return (
    <TextInput
      {...props}
      {...passwordManagerOptOut}
      type={isRevealed || canMask ? 'text' : 'password'}
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      classNames={isRevealed ? {} : { input: classes.hidden }}
      rightSection={
        <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => setRevealed(!isRevealed)}>
          {isRevealed ? <EyeSlashIcon width={18} aria-hidden /> : <EyeIcon width={18} aria-hidden />}
        </ActionIcon>
      }
    />
  );
}
