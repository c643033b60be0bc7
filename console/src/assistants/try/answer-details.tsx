import { Badge, Text } from '@mantine/core';
import { formatValue } from '../../calls/transcript/search.ts';
import transcript from '../../calls/transcript/transcript.module.css';
import { trial as text } from '../../strings/try.ts';
import type { Answer } from './read-answer.ts';
import classes from './try.module.css';

/** Names what stands behind an answer: its time, tokens, tool calls, passages and version. */
function summarize({ ms, tokens, results, passages, version }: Answer, isOver: boolean): string {
  return [
    isOver && text.milliseconds(ms),
    tokens !== undefined && text.tokens(tokens),
    results.length > 0 && text.results(results.length),
    passages.length > 0 && text.passages(passages.length),
    version !== undefined && (version === null ? text.draft : text.label(version)),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** What stands behind an answer, collapsed: tools that ran, passages that were found, and how long it took. */
export function AnswerDetails({ answer, isOver }: { answer: Answer; isOver: boolean }) {
  const { results, passages, firstMs } = answer;
  const summary = summarize(answer, isOver);
  if (summary === '') return null;
  return (
    <details className={`${transcript.folded} ${classes.behind}`}>
      <summary>{summary}</summary>
      {firstMs !== undefined && (
        <Text size="xs" c="dimmed">
          {text.firstWord(text.milliseconds(firstMs))}
        </Text>
      )}
      {results.map((result) => (
        <section key={result.call_id} aria-label={text.called(result.name)}>
          <Text size="sm" mt="xs" className={transcript.inside}>
            {text.called(result.name)}{' '}
            <Text span size="xs" c="dimmed">
              {text.milliseconds(result.duration_ms)}
            </Text>{' '}
            {result.is_error && (
              <Badge size="sm" color="red">
                {text.failed}
              </Badge>
            )}
          </Text>
          <Value name={text.arguments} value={result.arguments} />
          <Value name={text.output} value={result.output} />
        </section>
      ))}
      {passages.map(({ file_name, page, text: passage }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: passages have no ids, and only come all at once
        <Value key={index} name={text.place(file_name, page)} value={passage} />
      ))}
    </details>
  );
}

/** A value below its name. */
export const Value = ({ name, value }: { name: string; value: unknown }) => (
  <>
    <Text size="xs" c="dimmed" mt="xs">
      {name}
    </Text>
    <div className={transcript.value} dir="auto">
      {formatValue(value)}
    </div>
  </>
);
