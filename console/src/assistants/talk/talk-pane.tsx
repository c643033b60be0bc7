import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import type { Assistant } from '../../api/types.ts';
import { talk as text } from '../../strings/talk.ts';
import { Failure } from '../../ui/feedback/failure.tsx';
import { LinkAnchor } from '../../ui/page/link.tsx';
import type { EditedDraft } from '../editor/use-draft.ts';
import { listVariableFaults } from '../try/describe-failure.ts';
import classes from '../try/try.module.css';
import { Said } from '../try/turn-view.tsx';
import { useFollowEnd } from '../try/use-follow-end.ts';
import { VariableFields } from '../try/variable-fields.tsx';
import { useContent, VersionSelect } from '../try/version-select.tsx';
import { describeCallFailure, isCredentialFailure } from './describe-failure.ts';
import { isOpen, useCall } from './use-call.ts';

interface Props {
  /** The assistant as it is saved. */
  assistant: Assistant;
  draft: Pick<EditedDraft, 'isDirty' | 'isBroken'>;
  onSave: () => void;
  isSaving: boolean;
}

/** Pane to call an assistant from the browser: its saved draft, or a version. */
export function TalkPane({ assistant, draft, onSave, isSaving }: Props) {
  const id = useId();
  const [version, setVersion] = useState('draft');
  const [values, setValues] = useState<Record<string, string>>({});
  const { variables } = useContent(assistant, version);
  const names = Object.keys(variables);
  const { call, start, hangUp, toggleMute } = useCall(assistant.id);
  const { state, transcript, error, isMuted } = call;
  const isCalling = isOpen(call);
  const { list, onScroll, follow } = useFollowEnd(transcript);
  const variableFields = useRef<HTMLDetailsElement>(null);
  const isUnsaved = version === 'draft' && draft.isDirty;
  const begin = () => {
    follow();
    start({
      version,
      variables: Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : []))),
    });
  };
  return (
    <Paper component="section" p="md" aria-labelledby={id} className={classes.pane}>
      <Group gap="xs" justify="space-between">
        <Title order={2} size="md" id={id}>
          {text.title}
        </Title>
        <VersionSelect assistant={assistant} value={version} onChange={setVersion} disabled={isCalling} />
      </Group>
      {names.length > 0 && (
        <VariableFields
          ref={variableFields}
          variables={variables}
          values={values}
          onChange={setValues}
          faults={listVariableFaults(error, names)}
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
        {transcript.length === 0 && (
          <Text size="sm" c="dimmed">
            {text.empty}
          </Text>
        )}
        <ol>
          {transcript.map((segment) => (
            <li key={segment.id}>
              <Said by={segment.by}>{segment.text}</Said>
            </li>
          ))}
        </ol>
        {state === 'failed' && (
          <>
            <Failure error={error} description={describeCallFailure(error)} onRetry={isUnsaved ? undefined : begin} />
            {isCredentialFailure(error) && (
              <LinkAnchor to="/credentials" size="sm">
                {text.toCredentials}
              </LinkAnchor>
            )}
          </>
        )}
      </section>
      <Group gap="xs">
        <Text size="sm" role="status">
          {[text.state[state], call.isUnanswered && text.unanswered(call.agentName), isMuted && isCalling && text.muted]
            .filter(Boolean)
            .join('. ')}
        </Text>
        {call.isAssistantSpeaking && <Badge variant="light">{text.speaking}</Badge>}
        {state === 'ended' && (
          <LinkAnchor to="/calls" search={{ assistant: assistant.id }} size="sm">
            {text.itsCalls}
          </LinkAnchor>
        )}
      </Group>
      <Group gap="xs" justify="space-between">
        <Text size="xs" c="dimmed">
          {!isCalling && (isUnsaved ? text[draft.isBroken ? 'broken' : 'saveFirst'] : text.hint)}
        </Text>
        <Group gap="xs">
          {isCalling && (
            <Button variant="default" onClick={toggleMute} disabled={state === 'connecting'}>
              {isMuted ? text.unmute : text.mute}
            </Button>
          )}
          {isCalling ? (
            <Button color="red" onClick={hangUp}>
              {text.hangUp}
            </Button>
          ) : (
            <Button
              onClick={isUnsaved ? onSave : begin}
              loading={isUnsaved && isSaving}
              disabled={isUnsaved && draft.isBroken}
            >
              {isUnsaved ? text.save : text.call}
            </Button>
          )}
        </Group>
      </Group>
    </Paper>
  );
}
