import { Alert, AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure, useNetwork } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SessionEnded } from '../auth/session-ended.tsx';
import { common } from '../strings/common.ts';
import { shell as text } from '../strings/shell.ts';
import { later } from '../ui/later.tsx';
import { Account } from './account.tsx';
import { useFocusOnNavigation } from './focus.ts';
import { keepFocus } from './keep-focus.ts';
import { Navigation } from './navigation.tsx';
import { overlaysId } from './overlays.ts';
import classes from './shell.module.css';

// Nobody waits for it: it comes after the first page. Without it, the console works, if in silence.
const Notifications = later(
  () => import('../ui/notifications.tsx').catch(() => ({ Notifications: (_: { position: 'bottom-right' }) => null })),
  'Notifications',
);

// There is nothing to show before one has been at a page that uploads.
const UnderWay = later(() => import('../knowledge/upload/under-way.tsx'), 'UnderWay');

/** The frame around every page: on the left where one can go, or on a phone behind a button. */
export function Shell() {
  const [isOpen, menu] = useDisclosure();
  const { online } = useNetwork();
  useFocusOnNavigation();
  useEffect(keepFocus, []);
  const brand = (
    <Link to="/" className={classes.brand} onClick={menu.close}>
      <img src={`${import.meta.env.BASE_URL}favicon.svg`} width={24} height={24} alt="" />
      {common.product}
    </Link>
  );
  return (
    <AppShell
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
      transitionDuration={150}
    >
      <a className={classes.skip} href="#content">
        {text.skip}
      </a>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md">
          <Burger
            opened={isOpen}
            onClick={menu.toggle}
            size="sm"
            aria-label={isOpen ? text.closeMenu : text.openMenu}
            aria-expanded={isOpen}
          />
          {brand}
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} mod={{ open: isOpen }} p="sm" aria-label={text.navigation}>
        <AppShell.Section px="xs" py="sm" mb="xs" visibleFrom="sm">
          {brand}
        </AppShell.Section>
        <AppShell.Section grow>
          <Navigation onLeave={menu.close} />
        </AppShell.Section>
        <AppShell.Section>
          <UnderWay />
          <Account />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main>
        <div id="content" tabIndex={-1} className={classes.main}>
          {!online && (
            <Alert color="yellow" role="status" mb="lg">
              {text.offline}
            </Alert>
          )}
          <SessionEnded />
          <Outlet />
        </div>
        <div id={overlaysId} className={classes.overlays} />
        <Notifications position="bottom-right" />
      </AppShell.Main>
    </AppShell>
  );
}
