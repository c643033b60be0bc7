import { Alert, Button, Group, List, Paper, Text, Textarea } from '@mantine/core';
import { assistants as text } from '../strings/assistants.ts';
import { Copy } from '../ui/copy.tsx';
import classes from './editor.module.css';
import type { EditedDraft } from './use-draft.ts';

/** The draft as JSON, which can be edited as well as the form. */
export function JsonPane({ draft: { json, sip, vendors }, isLocked }: { draft: EditedDraft; isLocked: boolean }) {
  const waitsFor = sip.faults.length > 0 ? text.sipBroken : vendors.isBroken && text.vendorBroken;
  return (
    <Paper p="md">
      <Group justify="space-between" mb="xs">
        <Text fw={600} size="sm">
          {text.json}
        </Text>
        <Copy value={json.text} label={text.copyJson} />
      </Group>
      <Text size="xs" c="dimmed" mb="sm" id="json-hint">
        {waitsFor || text.jsonHint}
      </Text>
      <Textarea
        className={classes.json}
        aria-label={text.jsonLabel}
        aria-describedby="json-hint"
        aria-invalid={json.faults.length > 0}
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
          <List size="sm" mb="sm">
            {json.faults.map((fault) => (
              <List.Item key={fault}>{fault}</List.Item>
            ))}
          </List>
          <Button size="xs" variant="default" onClick={json.discard}>
            {text.discardJson}
          </Button>
        </Alert>
      )}
    </Paper>
  );
}
