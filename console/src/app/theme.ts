import {
  Alert,
  Badge,
  Button,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Modal,
  Paper,
  Tooltip,
} from '@mantine/core';

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

/** A little blue in the dark, as in the light. */
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
  components: {
    Button: Button.extend({ defaultProps: { size: 'sm' } }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 } }),
    Modal: Modal.extend({ defaultProps: { centered: true } }),
    Paper: Paper.extend({ defaultProps: { withBorder: true } }),
    Alert: Alert.extend({ defaultProps: { variant: 'light' } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: false } } }),
  },
});

/** Quiet text that still has a contrast of 4.5 : 1 (WCAG 2.2, 1.4.3), which Mantine's has not. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c6370',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-default-border': '#e1e4e8',
    '--console-sunken': '#f8f9fa',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': '#878b97',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-default-border': '#2b2e36',
    '--console-sunken': 'var(--mantine-color-dark-8)',
  },
});
