import {
  type AlertProps,
  type AutocompleteProps,
  type BadgeProps,
  type ButtonProps,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MenuProps,
  type PaperProps,
  type PortalProps,
  type SelectProps,
  type TooltipProps,
} from '@mantine/core';
import { overlaysId } from './overlays.ts';

const iris: MantineColorsTuple = [
  '#f3f3fe',
  '#e9e9fc',
  '#d7d7f9',
  '#bfbff4',
  '#a5a5ee',
  '#8080e2',
  '#6a6adc',
  '#5b5bd6',
  '#4c4bbd',
  '#3f3e9e',
];

/** Slightly blue greys, to match the light scheme. */
const dark: MantineColorsTuple = [
  '#e4e5e9',
  '#bfc1c9',
  '#9a9da8',
  '#6b6e7a',
  '#363943',
  '#31343d',
  '#23262d',
  '#17191e',
  '#121317',
  '#0c0d10',
];

/** The options list scrolls itself: the keyboard cannot reach Mantine's scroll box around it. */
const scrollingOptions = { withScrollArea: false, styles: { options: { maxHeight: 220, overflowY: 'auto' } } } as const;

/** One accent, quiet greys, one radius. Spacing and sizes are Mantine's. */
export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: 7,
  colors: { iris, dark },
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.375rem', lineHeight: '1.4' } } },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Keyed by name, so that this file imports no component before a page needs it.
  components: {
    Button: { defaultProps: { size: 'sm' } satisfies ButtonProps },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 } satisfies BadgeProps },
    Paper: { defaultProps: { withBorder: true } satisfies PaperProps },
    Portal: { defaultProps: { target: `#${overlaysId}` } satisfies Partial<PortalProps> },
    // Focuses the first item, as menus should. Mantine's empty placeholder element is not a valid child of a menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } satisfies Partial<MenuProps> },
    Autocomplete: { defaultProps: scrollingOptions satisfies Partial<AutocompleteProps> },
    Select: { defaultProps: scrollingOptions satisfies Partial<SelectProps> },
    Alert: { defaultProps: { variant: 'light' } satisfies AlertProps },
    Tooltip: {
      defaultProps: {
        openDelay: 300,
        events: { hover: true, focus: true, touch: false },
      } satisfies Partial<TooltipProps>,
    },
  },
});

const red = {
  '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  '--mantine-color-red-filled-hover': '#b32424',
};

/**
 * Quieter colours than Mantine's. Text has a contrast of at least 4.5 : 1 (WCAG 2.2, 1.4.3), which Mantine's defaults
 * lack.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...red,
    '--mantine-color-dimmed': '#5c6370',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-default-border': '#e1e4e8',
    '--mantine-color-red-light': 'var(--mantine-color-red-0)',
    '--mantine-color-red-light-hover': '#ffebeb',
    '--mantine-color-green-light': 'var(--mantine-color-green-0)',
    '--mantine-color-green-light-color': '#1d6a2f',
    '--mantine-color-yellow-light': 'var(--mantine-color-yellow-0)',
    '--mantine-color-yellow-light-color': '#7d4a00',
    '--console-sunken': '#f8f9fa',
    '--console-field': '#868e96',
  },
  dark: {
    ...red,
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': '#878b97',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-default-border': '#2b2e36',
    '--mantine-color-red-light': '#331a1d',
    '--mantine-color-red-light-color': 'var(--mantine-color-red-2)',
    '--mantine-color-green-light': '#15291b',
    '--mantine-color-green-light-color': 'var(--mantine-color-green-2)',
    '--mantine-color-yellow-light': '#2f2611',
    '--mantine-color-yellow-light-color': 'var(--mantine-color-yellow-2)',
    '--console-sunken': 'var(--mantine-color-dark-8)',
    '--console-field': '#787b87',
  },
});
