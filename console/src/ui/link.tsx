import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Native = Omit<ComponentPropsWithRef<'a'>, 'style' | 'color'>;

/** A link to another page that looks like a button. */
export const LinkButton = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />);

/** A link to another page, in text. */
export const LinkAnchor = createLink((props: AnchorProps & Native) => <Anchor {...props} />);
