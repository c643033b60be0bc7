import { ArrowLeftIcon } from '@heroicons/react/24/outline';
import type { ReactNode } from 'react';
import { LinkAnchor } from './link.tsx';

/** The way back from one to the list of all. */
export const Back = ({ to, children }: { to: '/assistants' | '/knowledge' | '/calls'; children: ReactNode }) => (
  <LinkAnchor to={to} size="sm">
    <ArrowLeftIcon width={12} aria-hidden /> {children}
  </LinkAnchor>
);
