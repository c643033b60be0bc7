import { Combobox, Loader, Text, TextInput, useCombobox, VisuallyHidden } from '@mantine/core';
import { told } from './told.ts';
import { nameToShow } from './visible.ts';

interface Props {
  label: string;
  placeholder: string;
  options: { id: string; name: string; more: string }[];
  /** What to say where there are no options. */
  nothing: string | undefined;
  typed: string;
  onType: (typed: string) => void;
  isBusy: boolean;
  /** Why the options could not be had. */
  error: unknown;
  /** Reads the options again after a fault. */
  onRetry: () => unknown;
  /** Given the id of the option that was chosen; the field is then empty again. */
  onPick: (id: string) => void;
}

/** A text field that offers what others look up by what is typed, by mouse and by keyboard. */
export function Picker({ label, placeholder, options, nothing, typed, onType, isBusy, error, onRetry, onPick }: Props) {
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
            error={error ? told(error).title : undefined}
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
                  {nameToShow(name)}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {more}
                </Text>
              </Combobox.Option>
            ))}
            {options.length === 0 && nothing && <Combobox.Empty>{nothing}</Combobox.Empty>}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <VisuallyHidden role="status">{combobox.dropdownOpened && options.length === 0 && nothing}</VisuallyHidden>
    </>
  );
}
