import { ComputerDesktopIcon, MoonIcon, SunIcon } from '@heroicons/react/24/outline';
import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { shell as text } from '../strings/shell.ts';
import classes from './shell.module.css';

const schemes: { scheme: MantineColorScheme; label: string; Icon: typeof SunIcon }[] = [
  { scheme: 'light', label: text.light, Icon: SunIcon },
  { scheme: 'dark', label: text.dark, Icon: MoonIcon },
  { scheme: 'auto', label: text.auto, Icon: ComputerDesktopIcon },
];

/** Menu items that choose the colours. */
export function ColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return schemes.map(({ scheme, label, Icon }) => (
    <Menu.Item
      key={scheme}
      role="menuitemradio"
      aria-checked={scheme === colorScheme}
      closeMenuOnClick={false}
      leftSection={<Icon className={classes.icon} aria-hidden />}
      bg={scheme === colorScheme ? 'var(--mantine-primary-color-light)' : undefined}
      onClick={() => setColorScheme(scheme)}
    >
      {label}
    </Menu.Item>
  ));
}
