import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

/**
 * Props of an anchor. `aria-current` is dropped: the router sets it on links to ancestors of the open page, and only
 * the navigation should mark the current one.
 */
type NativeProps = Omit<ComponentPropsWithRef<'a'>, 'style' | 'color'>;

/** Link to another page that looks like a button. */
export const LinkButton = createLink(({ 'aria-current': _, ...props }: ButtonProps & NativeProps) => (
  <Button component="a" {...props} />
));

/** Link to another page within text. */
export const LinkAnchor = createLink(({ 'aria-current': _, ...props }: AnchorProps & NativeProps) => (
  <Anchor {...props} />
));
