import { Autocomplete, type AutocompleteProps, Group, Text } from '@mantine/core';

interface Props extends Omit<AutocompleteProps, 'data'> {
  suggestions: string[];
  /** What a suggestion stands for, in words. */
  explain?: (suggestion: string) => string | undefined;
}

/** The suggestions that contain what was typed; all of them where one was chosen, so that one sees the others. */
function fitting(suggestions: string[], typed: string): string[] {
  const sought = typed.trim().toLowerCase();
  return suggestions.includes(typed) ? suggestions : suggestions.filter((one) => one.toLowerCase().includes(sought));
}

/** A field of text with suggestions. It takes any other text, too. */
export function SuggestingInput({ suggestions, explain, ...props }: Props) {
  return (
    <Autocomplete
      {...props}
      data={fitting(suggestions, String(props.value ?? ''))}
      filter={({ options }) => options}
      renderOption={({ option: { value } }) => (
        <Group gap="xs" wrap="nowrap">
          <Text size="sm">{value}</Text>
          {explain && (
            <Text size="xs" c="dimmed">
              {explain(value)}
            </Text>
          )}
        </Group>
      )}
    />
  );
}
