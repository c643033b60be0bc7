import { CodeBracketIcon } from '@heroicons/react/24/outline';
import { Alert, Box, Burger } from '@mantine/core';
import { useDisclosure, useMediaQuery, useNetwork, useWindowEvent } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useIdentity } from '../api/identity.ts';
import { common } from '../strings/common.ts';
import { shell as text } from '../strings/shell.ts';
import { preloadDialog } from '../ui/dialog/dialog.tsx';
import { lazyComponent } from '../ui/loading/lazy.tsx';
import { Account } from './account.tsx';
import { useFocusOnNavigation } from './focus-on-navigation.ts';
import { keepFocus } from './keep-focus.ts';
import { LazyNotifications } from './lazy-notifications.tsx';
import { Navigation } from './navigation.tsx';
import { overlaysId } from './overlays.ts';
import { SessionEndedDialog } from './session-ended-dialog.tsx';
import classes from './shell.module.css';
import { useHasInteracted } from './user-activity.ts';

// Lazy, because most users have no workspace.
const WorkspaceSwitch = lazyComponent(() => import('./workspace-switch.tsx'), 'WorkspaceSwitch');
const UploadIndicator = lazyComponent(() => import('../knowledge/upload/upload-indicator.tsx'), 'UploadIndicator');

/** The frame around every page: navigation on the left, or behind a button on a phone. */
export function Shell() {
  const [isOpen, menu] = useDisclosure();
  const isPhone = useMediaQuery('(max-width: 47.99em)');
  // On a wide screen, the menu is always visible next to the page.
  useEffect(() => {
    if (!isPhone) menu.close();
  }, [isPhone, menu.close]);
  const button = useRef<HTMLButtonElement>(null);
  useWindowEvent('keydown', ({ key, target }) => {
    const isForOverlay = target instanceof Element && target.closest(`#${overlaysId}`);
    if (key !== 'Escape' || !isOpen || isForOverlay) return;
    menu.close();
    button.current?.focus();
  });
  const identity = useIdentity();
  const { online } = useNetwork();
  useFocusOnNavigation();
  useEffect(keepFocus, []);
  const hasInteracted = useHasInteracted();
  useEffect(() => {
    if (hasInteracted) preloadDialog();
  }, [hasInteracted]);
  const brand = (
    <Link to="/" className={classes.brand} onClick={menu.close}>
      <img src={`${import.meta.env.BASE_URL}favicon.svg`} width={24} height={24} alt="" />
      {common.product}
    </Link>
  );
  const workspaces = identity?.workspaces.length ? <WorkspaceSwitch identity={identity} /> : null;
  return (
    <>
      <a className={classes.skip} href="#content">
        {text.skip}
      </a>
      <header className={classes.header}>
        <Burger
          ref={button}
          opened={isOpen}
          onClick={menu.toggle}
          size="sm"
          aria-label={isOpen ? text.closeMenu : text.openMenu}
          aria-expanded={isOpen}
        />
        {brand}
        {workspaces && (
          <Box hiddenFrom="sm" className={classes.headSwitch}>
            {workspaces}
          </Box>
        )}
      </header>
      <nav className={classes.navbar} data-open={isOpen || undefined} aria-label={text.navigation}>
        <Box px="xs" pt="sm" pb="xl" visibleFrom="sm">
          {brand}
        </Box>
        {workspaces && (
          <Box pb="sm" visibleFrom="sm">
            {workspaces}
          </Box>
        )}
        <Navigation onLeave={menu.close} />
        <div className={classes.foot}>
          {hasInteracted && <UploadIndicator />}
          <a className={classes.link} href="/docs" target="_blank" rel="noreferrer">
            <CodeBracketIcon className={classes.icon} aria-hidden />
            {text.reference}
          </a>
          <Account />
        </div>
      </nav>
      <main className={classes.main}>
        {/* The keyboard cannot reach what the menu covers. */}
        <div id="content" tabIndex={-1} className={classes.content} inert={isOpen}>
          {!online && (
            <Alert color="yellow" role="status" mb="lg">
              {text.offline}
            </Alert>
          )}
          <SessionEndedDialog />
          <Outlet />
        </div>
        <div id={overlaysId} className={classes.overlays} />
        <LazyNotifications />
      </main>
    </>
  );
}
