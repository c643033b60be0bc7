import { Button, Fieldset, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { tools as text } from '../../../../strings/tools.ts';
import { Failure } from '../../../../ui/feedback/failure.tsx';
import { CodeView } from '../../../../ui/text/code-view.tsx';
import { formatJson, parseObject } from '../../../draft/json-draft.ts';
import { listParameters, type Tool } from '../../../draft/tools.ts';
import { callTool } from '../../../queries.ts';
import classes from '../../editor.module.css';

interface Props {
  /** Undefined if the tool is not saved as it is shown. */
  assistantId: string | undefined;
  tool: Extract<Tool, { type: 'http' }>;
}

/** Sends the request of a saved tool, and shows the answer. */
export function TryTool({ assistantId, tool }: Props) {
  const names = listParameters(tool.parameters ?? {})?.map(({ name }) => [name, '']) ?? [];
  const [typed, setTyped] = useState(() => formatJson(Object.fromEntries(names)));
  const read = parseObject(typed);
  const { mutate, data, error, isPending } = useMutation({ mutationFn: callTool });
  if (assistantId === undefined)
    return (
      <Text size="sm" c="dimmed">
        {text.tryFirst}
      </Text>
    );
  return (
    <Fieldset legend={text.try}>
      <Stack gap="xs">
        <Textarea
          className={classes.json}
          label={text.arguments}
          description={text.tryHint}
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          error={read.faults[0]}
        />
        <Button
          variant="default"
          size="xs"
          w="fit-content"
          loading={isPending}
          disabled={!read.value}
          onClick={() => read.value && mutate({ assistantId, name: tool.name, given: read.value })}
        >
          {text.send}
        </Button>
        {error && <Failure error={error} />}
        {data && <CodeView name={text.answer} code={formatJson(data)} />}
      </Stack>
    </Fieldset>
  );
}
