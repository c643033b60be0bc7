import { Button, Group, Stack, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, type RefObject, useState } from 'react';
import { trial as text } from '../../strings/try.ts';
import { maxMessages } from './conversation.ts';

interface Props {
  field: RefObject<HTMLTextAreaElement | null>;
  onSend: (question: string) => void;
  /** Ends the answer that is coming. Undefined if none is. */
  onStop: (() => void) | undefined;
  /** Begins a new conversation. Undefined while this one takes more questions. */
  onRestart: (() => void) | undefined;
  /** Changes that have to be saved before they can be tried. */
  unsaved: { isBroken: boolean; isSaving: boolean; onSave: () => void } | undefined;
}

/** True for the Enter that ends the composition of a character. Safari sends it after the composition, with code 229. */
const isComposing = ({ nativeEvent, keyCode }: KeyboardEvent) => nativeEvent.isComposing || keyCode === 229;

/** Field for the next question. Its button saves the draft first if that has changes. */
export function Composer({ field, onSend, onStop, onRestart, unsaved }: Props) {
  const [typed, setTyped] = useState('');
  const isAnswering = onStop !== undefined;
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (unsaved) {
      if (!unsaved.isBroken) unsaved.onSave();
    } else if (typed.trim() !== '' && !isAnswering && !onRestart) {
      onSend(typed.trim());
      setTyped('');
    }
  };
  const hint = unsaved ? text[unsaved.isBroken ? 'broken' : 'saveFirst'] : text.hint;
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Textarea
          ref={field}
          aria-label={text.message}
          description={onRestart ? text.full(maxMessages) : hint}
          inputWrapperOrder={['input', 'description']}
          autosize
          minRows={2}
          maxRows={6}
          dir="auto"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !isComposing(event)) submit(event);
          }}
        />
        <Group gap="xs" justify="flex-end">
          {onStop && (
            <Button variant="default" onClick={onStop}>
              {text.stop}
            </Button>
          )}
          {onRestart && !isAnswering ? (
            <Button onClick={onRestart}>{text.restart}</Button>
          ) : (
            <Button
              type="submit"
              loading={unsaved?.isSaving ?? false}
              disabled={unsaved ? unsaved.isBroken : isAnswering || typed.trim() === ''}
            >
              {unsaved ? text.save : text.send}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
