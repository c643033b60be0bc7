import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Assistant } from '../../api/types.ts';
import { trial as text } from '../../strings/try.ts';
import { contentQuery, versionsQuery } from '../versions/queries.ts';

interface Props {
  assistant: Assistant;
  /** `draft`, `live` or a number. */
  value: string;
  onChange: (version: string) => void;
  disabled?: boolean;
}

/** Chooses what answers: the draft, or one of the newest versions. Shows nothing if there are none. */
export function VersionSelect({ assistant: { id, live }, value, onChange, disabled = false }: Props) {
  const { data } = useInfiniteQuery(versionsQuery(id));
  const numbers = data?.pages.flatMap(({ versions }) => versions.map(({ version }) => version)) ?? [];
  if (numbers.length === 0) return null;
  return (
    <NativeSelect
      size="xs"
      aria-label={text.version}
      value={value}
      disabled={disabled}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: 'draft', label: text.draft },
        ...(live ? [{ value: 'live', label: text.live(live.versions) }] : []),
        ...numbers.map((version) => ({ value: String(version), label: text.label(version) })),
      ]}
    />
  );
}

/** Returns the content of a version, and its greeting: undefined if only the service can render it. */
export function useContent(assistant: Assistant, version: string) {
  const isDraft = version === 'draft';
  const { data } = useQuery({ ...contentQuery(assistant.id, version), enabled: !isDraft });
  const content = isDraft ? assistant : data;
  const { tools, variables } = content ?? assistant;
  const isShared = version === 'live' && assistant.live !== null && assistant.live.versions.length > 1;
  const isKnown = content !== undefined && content.variables === null && !isShared;
  return { tools, variables: variables ?? {}, greeting: isKnown ? content.first_message || null : undefined };
}
