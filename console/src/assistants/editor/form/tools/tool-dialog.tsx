import { Button, Checkbox, Group, NumberInput, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { credentialsQuery } from '../../../../credentials/queries.ts';
import { common } from '../../../../strings/common.ts';
import { tools as text } from '../../../../strings/tools.ts';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { parseTool } from '../../../draft/json-draft.ts';
import { isSameJson } from '../../../draft/same-json.ts';
import type { Tool } from '../../../draft/tools.ts';
import classes from '../../editor.module.css';
import { useJsonText } from '../../use-json-text.ts';
import { DestinationRows } from './destination-rows.tsx';
import { ParameterRows } from './parameter-rows.tsx';
import { TryTool } from './try-tool.tsx';

interface Props {
  first: Tool;
  isNew: boolean;
  /** Names of the other tools, in lower case. */
  taken: readonly string[];
  assistantId: string | undefined;
  /** Tools of the saved assistant. */
  saved: readonly Tool[];
  onDone: (tool: Tool) => void;
  onClose: () => void;
}

type HttpTool = Extract<Tool, { type: 'http' }>;

const isUrl = (url: string) => /^https?:\/\/[^/]/.test(url) && URL.canParse(url);

/** Returns what is wrong with a name, if anything. */
function findNameFault(name: string, taken: readonly string[]): string | undefined {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) return text.nameWrong;
  return taken.includes(name.toLowerCase()) ? text.nameTaken : undefined;
}

/** Dialog that edits a tool in a form and as JSON. Changes nothing until it is done. */
export function ToolDialog({ first, isNew, taken, assistantId, saved, onDone, onClose }: Props) {
  const [tool, setTool] = useState(first);
  const [isChecked, setChecked] = useState(false);
  const json = useJsonText<Tool>(tool, parseTool, setTool);
  const change = (fields: Partial<Tool>) => setTool({ ...tool, ...fields } as Tool);
  const needsDescription = tool.type === 'http' || tool.type === 'client';
  const faults = {
    name: findNameFault(String(tool.name ?? ''), taken),
    description: needsDescription && !tool.description?.trim() ? common.needed : undefined,
    url: tool.type === 'http' && !isUrl(String(tool.http?.url ?? '')) ? text.urlWrong : undefined,
  };
  const isWrong = Object.values(faults).some(Boolean) || json.faults.length > 0;
  const finish = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation(); // the editor around it is a form too
    setChecked(true);
    if (!isWrong) onDone(tool);
  };
  const isSaved = saved.some((one) => isSameJson(one, tool));
  return (
    <Dialog title={isNew ? text.dialog.add : text.dialog.edit} opened onClose={onClose} size="xl">
      <form onSubmit={finish} noValidate>
        <Stack>
          <TextInput
            label={text.name}
            description={text.nameHint}
            value={tool.name ?? ''}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            error={isChecked && faults.name}
            required
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <Textarea
            label={text.description}
            value={tool.description ?? ''}
            onChange={({ currentTarget }) => change({ description: currentTarget.value })}
            error={isChecked && faults.description}
            required={needsDescription}
            autosize
            minRows={2}
            maxRows={6}
          />
          {tool.type === 'http' && <RequestFields tool={tool} onChange={change} urlFault={isChecked && faults.url} />}
          {(tool.type === 'http' || tool.type === 'client') && (
            <ParameterRows
              value={tool.parameters ?? { type: 'object' }}
              onChange={(parameters) => change({ parameters })}
            />
          )}
          {tool.type === 'transfer' && (
            <DestinationRows value={tool.destinations} onChange={(destinations) => change({ destinations })} />
          )}
          {tool.type === 'search' && (
            <>
              <NumberInput
                label={text.limit}
                value={tool.limit ?? 5}
                onChange={(limit) => change({ limit: Number(limit) })}
                min={1}
                max={20}
                w={160}
              />
              <Checkbox
                label={text.enabled}
                checked={tool.enabled ?? true}
                onChange={({ currentTarget }) => change({ enabled: currentTarget.checked })}
              />
            </>
          )}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {(['start', 'failure'] as const).map((when) => (
              <TextInput
                key={when}
                label={when === 'start' ? text.sayStart : text.sayFailure}
                value={tool.say?.[when] ?? ''}
                onChange={({ currentTarget }) =>
                  change({ say: { ...tool.say, [when]: currentTarget.value || null } } as Partial<Tool>)
                }
                autoComplete="off"
              />
            ))}
          </SimpleGrid>
          <Textarea
            className={classes.json}
            label={text.json}
            autosize
            minRows={4}
            maxRows={16}
            spellCheck={false}
            value={json.text}
            onChange={({ currentTarget }) => json.type(currentTarget.value)}
            error={json.faults[0]}
          />
          {tool.type === 'http' && <TryTool assistantId={isSaved ? assistantId : undefined} tool={tool} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit">{text.done}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

interface RequestProps {
  tool: HttpTool;
  onChange: (fields: Partial<Tool>) => void;
  urlFault: string | false | undefined;
}

/** Fields of an `http` tool's request: its address, and the key that it carries. */
function RequestFields({ tool, onChange, urlFault }: RequestProps) {
  const { data: credentials = [] } = useQuery(credentialsQuery);
  const change = (fields: Partial<HttpTool['http']>) => onChange({ http: { ...tool.http, ...fields } });
  const { credential } = tool.http;
  const chosen = credential ? JSON.stringify([credential.service_type, credential.name ?? null]) : '';
  const choices = new Map([
    ['', text.noCredential],
    ...(credential ? [[chosen, [credential.service_type, credential.name].filter(Boolean).join(' · ')] as const] : []),
    ...credentials.map(
      ({ service_type, name }) => [JSON.stringify([service_type, name]), `${service_type} · ${name}`] as const,
    ),
  ]);
  const choose = (value: string | null) => {
    const [service_type, name] = value ? JSON.parse(value) : [];
    change({ credential: service_type === undefined ? null : { ...credential, service_type, name } });
  };
  return (
    <>
      <Group align="start" wrap="nowrap">
        <Select
          label={text.method}
          data={['GET', 'POST', 'PUT', 'PATCH', 'DELETE']}
          value={tool.http.method ?? 'GET'}
          onChange={(method) => change({ method: (method ?? 'GET') as 'GET' })}
          allowDeselect={false}
          w={112}
        />
        <TextInput
          label={text.url}
          description={text.urlHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={tool.http.url}
          onChange={({ currentTarget }) => change({ url: currentTarget.value })}
          error={urlFault}
          required
          autoComplete="off"
          spellCheck={false}
          flex={1}
        />
      </Group>
      <Select
        label={text.credential}
        description={text.credentialHint}
        data={[...choices].map(([value, label]) => ({ value, label }))}
        value={chosen}
        onChange={choose}
        allowDeselect={false}
      />
    </>
  );
}
