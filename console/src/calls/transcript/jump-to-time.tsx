import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { calls as text } from '../../strings/calls.ts';
import { secondsIn } from '../clock.ts';

/** Leads to what is said at a time of the call. `onJump` says whether there is anything with a time. */
export function JumpToTime({ onJump }: { onJump: (seconds: number) => boolean }) {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === '') return;
    const seconds = secondsIn(typed);
    if (seconds === undefined) setWrong(text.jumpWrong);
    else setWrong(onJump(seconds) ? undefined : text.jumpNoTimes);
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
          setWrong(undefined);
        }}
        error={wrong}
      />
    </form>
  );
}
