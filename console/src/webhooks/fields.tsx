import { Checkbox, MultiSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { NewWebhook, Webhook } from '../api/types.ts';
import { common } from '../strings/common.ts';
import { webhooks as text } from '../strings/webhooks.ts';
import { parseHeaders } from './headers.ts';

/** Values of the form of a webhook. */
export interface Values {
  url: string;
  description: string;
  events: string[];
  include: boolean;
  /** One per line. */
  headers: string;
}

/** Fields of the API that the form shows. */
export const fields = ['url', 'description', 'events', 'include', 'headers'] as const;

const carries: Record<string, string> = text.carries;

export const toValues = (webhook?: Webhook): Values => ({
  url: webhook?.url ?? '',
  description: webhook?.description ?? '',
  events: webhook?.events ?? ['call.completed'],
  include: webhook?.include.includes('transcript') ?? false,
  headers: '',
});

export const validate = {
  url: (url: string) => (url.trim() === '' ? common.needed : null),
  events: (events: string[]) => (events.length === 0 ? text.eventsNeeded : null),
  headers: (headers: string) => (parseHeaders(headers) === undefined ? text.headersWrong : null),
};

/** Converts the form's values to the fields of a request. Leaves out headers if none were entered. */
export const toBody = ({ url, description, events, include, headers }: Values) => ({
  url: url.trim(),
  description: description.trim() || null,
  events: events as NewWebhook['events'],
  include: include ? (['transcript'] as 'transcript'[]) : [],
  ...(headers.trim() !== '' && { headers: parseHeaders(headers) ?? {} }),
});

interface Props {
  form: UseFormReturnType<Values>;
  /** Names of the headers that are stored. */
  headerNames?: readonly string[];
}

/** Fields of a webhook, with what each type of events carries. */
export const WebhookFields = ({ form, headerNames = [] }: Props) => (
  <Stack>
    <TextInput
      {...form.getInputProps('url')}
      label={text.url}
      description={text.urlHelp}
      type="url"
      maxLength={2_048}
      autoComplete="off"
      required
      data-autofocus
    />
    <MultiSelect
      {...form.getInputProps('events')}
      label={text.events}
      description={text.eventsHelp}
      data={Object.keys(carries)}
      filter={({ options, search }) =>
        options.filter(
          (option) =>
            'value' in option &&
            `${option.value} ${carries[option.value]}`.toLowerCase().includes(search.trim().toLowerCase()),
        )
      }
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.value}</Text>
          <Text size="xs" c="dimmed">
            {carries[option.value]}
          </Text>
        </div>
      )}
      placeholder={form.values.events.length === 0 ? text.searchEvents : undefined}
      searchable
      required
    />
    <Checkbox
      {...form.getInputProps('include', { type: 'checkbox' })}
      label={text.transcript}
      description={text.transcriptHelp}
    />
    <Textarea
      {...form.getInputProps('headers')}
      label={text.headers}
      description={text.headersKept(headerNames)}
      autosize
      minRows={1}
      maxRows={6}
      spellCheck={false}
    />
    <TextInput {...form.getInputProps('description')} label={text.note} maxLength={500} autoComplete="off" />
  </Stack>
);
