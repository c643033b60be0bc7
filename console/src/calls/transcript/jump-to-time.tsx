import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { calls as text } from '../../strings/calls.ts';
import { parseClock } from '../clock.ts';

/** Field that jumps to a time of the call. `onJump` returns false if no turn has a time. */
export function JumpToTime({ onJump }: { onJump: (seconds: number) => boolean }) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === '') return;
    const seconds = parseClock(typed);
    if (seconds === undefined) setError(text.jumpWrong);
    else setError(onJump(seconds) ? undefined : text.jumpNoTimes);
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        size="xs"
        w={112}
        aria-label={text.jump}
        placeholder={text.jumpExample}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setError(undefined);
        }}
        error={error}
      />
    </form>
  );
}
