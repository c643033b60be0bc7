import { ComputerDesktopIcon, MoonIcon, SunIcon } from '@heroicons/react/24/outline';
import { Group, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { shell as text } from '../strings/shell.ts';
import classes from './shell.module.css';

const schemes: { scheme: MantineColorScheme; label: string; Icon: typeof SunIcon }[] = [
  { scheme: 'light', label: text.light, Icon: SunIcon },
  { scheme: 'dark', label: text.dark, Icon: MoonIcon },
  { scheme: 'auto', label: text.auto, Icon: ComputerDesktopIcon },
];

/** Menu items that choose the colour scheme. */
export function ColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
      {schemes.map(({ scheme, label, Icon }) => (
        <Menu.RadioItem key={scheme} value={scheme}>
          <Group gap="xs">
            <Icon className={classes.icon} aria-hidden />
            {label}
          </Group>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
