import { Button, Group, Paper, Text, Title, VisuallyHidden } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import type { Assistant } from '../../api/types.ts';
import { trial as text } from '../../strings/try.ts';
import type { EditedDraft } from '../editor/use-draft.ts';
import { Composer } from './composer.tsx';
import { isFull } from './conversation.ts';
import { listVariableFaults } from './describe-failure.ts';
import classes from './try.module.css';
import { describeCall, Said, TurnView } from './turn-view.tsx';
import { useConversation } from './use-conversation.ts';
import { useFollowEnd } from './use-follow-end.ts';
import { VariableFields } from './variable-fields.tsx';
import { useContent, VersionSelect } from './version-select.tsx';

interface Props {
  /** The assistant as it is saved. */
  assistant: Assistant;
  draft: Pick<EditedDraft, 'isDirty' | 'isBroken'>;
  onSave: () => void;
  isSaving: boolean;
}

/** Pane to talk with an assistant in text: its saved draft, or a version. */
export function TryPane({ assistant, draft, onSave, isSaving }: Props) {
  const id = useId();
  const [version, setVersion] = useState('draft');
  const [values, setValues] = useState<Record<string, string>>({});
  const { tools, variables, greeting } = useContent(assistant, version);
  const names = Object.keys(variables);
  const { conversation, isAnswering, ask, repeat, stop, restart } = useConversation({
    model: `${assistant.id}@${version}`,
    variables: Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : []))),
    greeting,
  });
  const { turns } = conversation;
  const last = turns.at(-1);
  const said = last ? conversation.greeting : greeting;

  const { list, onScroll, follow } = useFollowEnd(turns);

  const field = useRef<HTMLTextAreaElement>(null);
  /** Makes an action return the focus to the field, since its button may disappear. */
  const keepFocus =
    <A extends unknown[]>(act: (...given: A) => void) =>
    (...given: A) => {
      follow();
      act(...given);
      field.current?.focus();
    };

  const variableFields = useRef<HTMLDetailsElement>(null);
  const faults = listVariableFaults(last?.error, names);
  const faulty = names.findIndex((name) => faults[name]);
  const fillIn = () => {
    if (!variableFields.current) return;
    variableFields.current.open = true;
    variableFields.current.querySelectorAll('input')[faulty]?.focus();
  };
  return (
    <Paper component="section" p="md" aria-labelledby={id} className={classes.pane}>
      <Group gap="xs" justify="space-between">
        <Title order={2} size="md" id={id}>
          {text.title}
        </Title>
        <Group gap="xs">
          <VersionSelect assistant={assistant} value={version} onChange={setVersion} />
          <Button variant="default" size="xs" onClick={keepFocus(restart)} disabled={!last}>
            {text.restart}
          </Button>
        </Group>
      </Group>
      {names.length > 0 && (
        <VariableFields
          ref={variableFields}
          variables={variables}
          values={values}
          onChange={setValues}
          faults={faults}
        />
      )}
      <section
        ref={list}
        className={classes.conversation}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={text.conversation}
        onScroll={onScroll}
      >
        {!last && (
          <Text size="sm" c="dimmed">
            {text.empty}
          </Text>
        )}
        <ol>
          {said && (
            <li>
              <Said by="assistant">{said}</Said>
            </li>
          )}
          {turns.map((turn) => (
            <TurnView
              key={turn.id}
              turn={turn}
              tools={tools}
              onRepeat={turn === last ? keepFocus(repeat) : undefined}
              onFillIn={turn === last && faulty >= 0 ? fillIn : undefined}
            />
          ))}
        </ol>
      </section>
      <VisuallyHidden role="status">
        {last?.state === 'done' &&
          last.answer &&
          [last.answer.text, ...last.answer.calls.map((call) => describeCall(call, tools))].join(' ')}
      </VisuallyHidden>
      <Composer
        field={field}
        onSend={keepFocus(ask)}
        onStop={isAnswering ? keepFocus(stop) : undefined}
        onRestart={isFull(conversation) ? keepFocus(restart) : undefined}
        unsaved={version === 'draft' && draft.isDirty ? { isBroken: draft.isBroken, isSaving, onSave } : undefined}
      />
    </Paper>
  );
}
