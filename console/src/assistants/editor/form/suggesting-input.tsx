import { Autocomplete, type AutocompleteProps, Combobox, Group, Text } from '@mantine/core';
import { useState } from 'react';

interface Props extends Omit<AutocompleteProps, 'data'> {
  suggestions: string[];
  /** Returns the meaning of a suggestion. */
  explain?: (suggestion: string) => string | undefined;
}

/** Returns the suggestions that contain a text, or all of them if the text is one itself. */
function filterSuggestions(suggestions: string[], typed: string): string[] {
  const sought = typed.trim().toLowerCase();
  return suggestions.includes(typed) ? suggestions : suggestions.filter((one) => one.toLowerCase().includes(sought));
}

/** Text field with suggestions. It accepts any other text too. */
export function SuggestingInput({ suggestions, explain, onFocus, onChange, ...props }: Props) {
  // The text that is there when the list opens, such as "default", is not a search.
  const [isSearch, setSearch] = useState(false);
  return (
    <Autocomplete
      {...props}
      data={isSearch ? filterSuggestions(suggestions, String(props.value ?? '')) : suggestions}
      filter={({ options }) => options}
      rightSection={<Combobox.Chevron />}
      rightSectionPointerEvents="none"
      onFocus={(event) => {
        setSearch(false);
        onFocus?.(event);
      }}
      onChange={(value) => {
        setSearch(true);
        onChange?.(value);
      }}
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
