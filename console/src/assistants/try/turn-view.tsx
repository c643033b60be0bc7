import { Button, Group, Text } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import type { FunctionCall } from '../../../../shared/domain/chat/completion.ts';
import transcript from '../../calls/transcript/transcript.module.css';
import { trial as text } from '../../strings/try.ts';
import { Failure } from '../../ui/feedback/failure.tsx';
import { LinkAnchor } from '../../ui/page/link.tsx';
import type { Tool } from '../draft/tools.ts';
import { AnswerDetails, Value } from './answer-details.tsx';
import type { Turn } from './conversation.ts';
import { describeFailure, isKeyFailure } from './describe-failure.ts';
import classes from './try.module.css';

/** Something that was said: by the user on the left, by the assistant on the right, as in transcripts. */
export const Said = ({ by, children }: { by: 'you' | 'assistant'; children: ReactNode }) => (
  <div className={transcript.turn} data-side={by === 'you' ? 'left' : 'right'}>
    <div className={transcript.meta}>
      <span className={transcript.who}>{text[by]}</span>
    </div>
    <div className={transcript.bubble} dir="auto">
      {children}
    </div>
  </div>
);

const Quiet = ({ children }: { children: ReactNode }) => (
  <Text span size="sm" c="dimmed" fs="italic">
    {children}
  </Text>
);

interface Props {
  turn: Turn;
  /** Tools of the assistant. */
  tools: readonly Tool[];
  /** Asks again. Undefined if another question follows. */
  onRepeat: (() => void) | undefined;
  /** Leads to the variables, if the API refused one of them. */
  onFillIn: (() => void) | undefined;
}

/** A question with its answer, and what stands behind it. Memoized, so that a long conversation stays fast. */
export const TurnView = memo(function TurnView({ turn, tools, onRepeat, onFillIn }: Props) {
  const { question, answer, state, error } = turn;
  const isOver = state === 'done' || state === 'stopped';
  return (
    <>
      <li>
        <Said by="you">{question}</Said>
      </li>
      <li>
        {(answer?.text || state !== 'failed') && (
          <Said by="assistant">{answer?.text || <Quiet>{state === 'asked' ? text.waiting : text.silence}</Quiet>}</Said>
        )}
        {answer?.calls.map((call) => (
          <OpenCall key={call.id} call={call} tools={tools} />
        ))}
        {answer && <AnswerDetails answer={answer} isOver={state !== 'asked'} />}
        {state === 'failed' && (
          <>
            <Failure error={error} description={describeFailure(error)} onRetry={onRepeat} />
            {isKeyFailure(error) && (
              <LinkAnchor to="/credentials" size="sm">
                {text.toCredentials}
              </LinkAnchor>
            )}
            {onFillIn && (
              <Button variant="subtle" size="compact-sm" onClick={onFillIn}>
                {text.fillIn}
              </Button>
            )}
          </>
        )}
        {isOver && (
          <Group gap="xs" justify="flex-end">
            {state === 'stopped' && (
              <Text size="xs" c="dimmed">
                {text.stopped}
              </Text>
            )}
            {onRepeat && (
              <Button variant="subtle" size="compact-sm" onClick={onRepeat}>
                {text.regenerate}
              </Button>
            )}
            {onRepeat && answer?.sessionId && (
              <LinkAnchor to="/calls/$sessionId" params={{ sessionId: answer.sessionId }} size="xs">
                {text.openCall}
              </LinkAnchor>
            )}
          </Group>
        )}
      </li>
    </>
  );
});

/** Says what the call of a tool would do that only a worker can run. */
export function describeCall({ function: { name } }: FunctionCall, tools: readonly Tool[]): string {
  const type = tools.find((tool) => tool.name === name)?.type;
  return text.would[type === 'transfer' || type === 'end_call' ? type : 'other'](name);
}

function OpenCall({ call, tools }: { call: FunctionCall; tools: readonly Tool[] }) {
  const { arguments: given } = call.function;
  return (
    <div className={transcript.turn} data-side="wide">
      <div className={`${transcript.folded} ${classes.behind}`}>
        {describeCall(call, tools)}
        {given !== '' && given !== '{}' && <Value name={text.arguments} value={given} />}
      </div>
    </div>
  );
}
