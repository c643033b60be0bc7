import { Combobox, Loader, Text, TextInput, useCombobox, VisuallyHidden } from '@mantine/core';
import { describeError } from '../feedback/describe-error.ts';
import { toVisibleName } from '../text/visible-text.ts';

interface Props {
  label: string;
  placeholder: string;
  options: { id: string; name: string; more: string }[];
  /** Text shown if there are no options. */
  emptyText: string | undefined;
  typed: string;
  onType: (typed: string) => void;
  isBusy: boolean;
  /** Error of loading the options. */
  error: unknown;
  /** Reloads the options after an error. */
  onRetry: () => unknown;
  /** Called with the id of the chosen option. The field is then cleared. */
  onPick: (id: string) => void;
}

/** Text field with a dropdown of matching options, for mouse and keyboard. The parent does the search. */
export function Picker({
  label,
  placeholder,
  options,
  emptyText,
  typed,
  onType,
  isBusy,
  error,
  onRetry,
  onPick,
}: Props) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  return (
    <>
      <Combobox
        store={combobox}
        onOptionSubmit={(id) => {
          onPick(id);
          onType('');
          combobox.closeDropdown();
        }}
      >
        <Combobox.Target withExpandedAttribute>
          <TextInput
            role="combobox"
            label={label}
            placeholder={placeholder}
            maxLength={200}
            autoComplete="off"
            value={typed}
            rightSection={isBusy && <Loader size="xs" />}
            error={error ? describeError(error).title : undefined}
            onChange={(event) => {
              onType(event.currentTarget.value);
              combobox.openDropdown();
            }}
            onClick={() => combobox.openDropdown()}
            onFocus={() => {
              if (error) void onRetry();
              combobox.openDropdown();
            }}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options mah={240} style={{ overflowY: 'auto' }} aria-label={label}>
            {options.map(({ id, name, more }) => (
              <Combobox.Option key={id} value={id}>
                <Text size="sm" truncate>
                  {toVisibleName(name)}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {more}
                </Text>
              </Combobox.Option>
            ))}
            {options.length === 0 && emptyText && <Combobox.Empty>{emptyText}</Combobox.Empty>}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <VisuallyHidden role="status">{combobox.dropdownOpened && options.length === 0 && emptyText}</VisuallyHidden>
    </>
  );
}
