import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

/** Only the navigation says where one is: the router would call every link to a page above the one that is open the current. */
type Native = Omit<ComponentPropsWithRef<'a'>, 'style' | 'color'>;

/** A link to another page that looks like a button. */
export const LinkButton = createLink(({ 'aria-current': _, ...props }: ButtonProps & Native) => (
  <Button component="a" {...props} />
));

/** A link to another page, in text. */
export const LinkAnchor = createLink(({ 'aria-current': _, ...props }: AnchorProps & Native) => <Anchor {...props} />);
