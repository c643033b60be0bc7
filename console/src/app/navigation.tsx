import {
  ArrowUpTrayIcon,
  BookOpenIcon,
  ChartBarIcon,
  ChatBubbleLeftRightIcon,
  ClockIcon,
  CommandLineIcon,
  HomeIcon,
  KeyIcon,
  PhoneIcon,
} from '@heroicons/react/24/outline';
import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { usePermissions } from '../api/identity.ts';
import { shell as text } from '../strings/shell.ts';
import classes from './shell.module.css';

const pages = [
  { to: '/', label: text.start, Icon: HomeIcon },
  { to: '/overview', label: text.overview, Icon: ChartBarIcon },
  { to: '/assistants', label: text.assistants, Icon: ChatBubbleLeftRightIcon },
  { to: '/knowledge', label: text.knowledge, Icon: BookOpenIcon },
  { to: '/calls', label: text.calls, Icon: PhoneIcon },
  { to: '/credentials', label: text.credentials, Icon: KeyIcon },
  { to: '/keys', label: text.keys, Icon: CommandLineIcon, needs: 'all' },
  { to: '/webhooks', label: text.webhooks, Icon: ArrowUpTrayIcon, needs: 'webhooks' },
  { to: '/activity', label: text.activity, Icon: ClockIcon, needs: 'events' },
] as const;

/** Links to the console's pages that the user may see. `onLeave` closes the menu on a phone. */
export function Navigation({ onLeave }: { onLeave: () => void }) {
  const isAllowed = usePermissions();
  return (
    <Stack gap={2}>
      {pages
        .filter((page) => !('needs' in page) || isAllowed(page.needs))
        .map(({ to, label, Icon }) => (
          <Link key={to} to={to} activeOptions={{ exact: to === '/' }} className={classes.link} onClick={onLeave}>
            <Icon className={classes.icon} aria-hidden />
            {label}
          </Link>
        ))}
    </Stack>
  );
}
