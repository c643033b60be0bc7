import { ArrowLeftIcon } from '@heroicons/react/24/outline';
import type { ReactNode } from 'react';
import { LinkAnchor } from './link.tsx';

/** Link from a detail page back to its list. */
export const BackLink = ({
  to,
  children,
}: {
  to: '/assistants' | '/knowledge' | '/calls' | '/webhooks';
  children: ReactNode;
}) => (
  <LinkAnchor to={to} size="sm">
    <ArrowLeftIcon width={12} aria-hidden /> {children}
  </LinkAnchor>
);
