import { Alert, Button, Group, Paper, Text, Textarea } from '@mantine/core';
import { useRef } from 'react';
import { assistants as text } from '../../strings/assistants.ts';
import { Copy } from '../../ui/text/copy.tsx';
import { findJsonMistake } from '../draft/json-mistake.ts';
import classes from './editor.module.css';
import type { EditedDraft } from './use-draft.ts';

/** The draft as editable JSON. */
export function JsonPane({ draft: { json, sip, vendors }, isLocked }: { draft: EditedDraft; isLocked: boolean }) {
  const input = useRef<HTMLTextAreaElement>(null);
  const mistake = json.faults.length > 0 ? findJsonMistake(json.text) : undefined;
  const waitsFor = sip.faults.length > 0 ? text.sipBroken : vendors.isBroken && text.vendorBroken;
  return (
    <Paper p="md">
      <Group justify="space-between" mb="xs">
        <Text fw={600} size="sm">
          {text.json}
        </Text>
        <Copy value={json.text} label={text.copyJson} />
      </Group>
      <Textarea
        ref={input}
        className={classes.json}
        aria-label={text.jsonLabel}
        description={waitsFor || text.jsonHint}
        error={json.faults.join('\n')}
        errorProps={{ className: classes.faults ?? '' }}
        readOnly={waitsFor !== false || isLocked}
        rows={26}
        resize="vertical"
        spellCheck={false}
        autoComplete="off"
        value={json.text}
        onChange={(event) => json.type(event.currentTarget.value)}
      />
      {json.faults.length > 0 && (
        <Alert color="red" mt="sm" role="status" title={text.jsonBroken}>
          <Group gap="xs">
            {mistake && (
              <Button
                size="xs"
                variant="default"
                onClick={() => {
                  input.current?.setSelectionRange(mistake.at, mistake.at);
                  // Focus last, since it scrolls the caret into view.
                  input.current?.focus();
                }}
              >
                {text.goToMistake}
              </Button>
            )}
            <Button size="xs" variant="default" onClick={json.discard}>
              {text.discardJson}
            </Button>
          </Group>
        </Alert>
      )}
    </Paper>
  );
}
