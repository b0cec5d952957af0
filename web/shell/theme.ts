/** Mantine in our tokens: its variables point at ours, so that there is one file of colours. */
import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const same = (color: string) => Array.from({ length: 10 }, () => color) as unknown as MantineColorsTuple;

/** Our own resolver: the library's judges contrast by the light shade in dark mode too. */
const variantColorResolver: VariantColorsResolver = ({ variant, color }) => {
  const bad = color === 'bad';
  if (variant === 'filled') {
    return {
      background: bad ? 'var(--bad)' : 'var(--accent)',
      hover: bad ? 'var(--bad-strong)' : 'var(--accent-strong)',
      color: bad ? 'var(--on-bad)' : 'var(--on-accent)',
      border: '1px solid transparent',
    };
  }
  const ink = bad ? 'var(--bad)' : variant === 'subtle' ? 'var(--secondary)' : 'var(--ink)';
  return {
    background: variant === 'default' ? 'var(--surface)' : 'transparent',
    hover: 'var(--sunken)',
    color: ink,
    border: variant === 'default' ? '1px solid var(--control-line)' : '1px solid transparent',
  };
};

export const theme = createTheme({
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  primaryColor: 'accent',
  colors: { accent: same('var(--accent)'), bad: same('var(--bad)') },
  defaultRadius: 'var(--radius)',
  cursorType: 'pointer',
  focusRing: 'auto',
  variantColorResolver,
  fontSizes: {
    xs: 'var(--text-12)',
    sm: 'var(--text-14)',
    md: 'var(--text-14)',
    lg: 'var(--text-16)',
    xl: 'var(--text-20)',
  },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { size: 'var(--target)', variant: 'subtle' } },
    Modal: {
      defaultProps: {
        transitionProps: { transition: 'fade', duration: 120 },
        radius: 'var(--radius)',
        closeButtonProps: { 'aria-label': 'Close' },
        // It is the head of the dialog; the page has the one banner.
        attributes: { header: { role: 'presentation' } },
      },
    },
    // Fields in a row stand in one line, whether they are explained or not.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, transitionProps: { duration: 120 } } },
    Popover: { defaultProps: { transitionProps: { duration: 120 } } },
  },
});

const variables = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--control-line)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--muted)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent-strong)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
  '--mantine-color-accent-filled': 'var(--accent)',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: variables,
  dark: variables,
});
