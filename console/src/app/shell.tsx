import { CodeBracketIcon } from '@heroicons/react/24/outline';
import { Alert, Box, Burger } from '@mantine/core';
import { useDisclosure, useMediaQuery, useNetwork, useWindowEvent } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { SessionEnded } from '../auth/session-ended.tsx';
import { common } from '../strings/common.ts';
import { shell as text } from '../strings/shell.ts';
import { preloadDialog } from '../ui/dialog.tsx';
import { later } from '../ui/later.tsx';
import { Account } from './account.tsx';
import { useActed } from './acted.ts';
import { Corner } from './corner.tsx';
import { useFocusOnNavigation } from './focus.ts';
import { keepFocus } from './keep-focus.ts';
import { Navigation } from './navigation.tsx';
import { overlaysId } from './overlays.ts';
import classes from './shell.module.css';

const UnderWay = later(() => import('../knowledge/upload/under-way.tsx'), 'UnderWay');

/** The frame around every page: on the left where one can go, or on a phone behind a button. */
export function Shell() {
  const [isOpen, menu] = useDisclosure();
  const isPhone = useMediaQuery('(max-width: 47.99em)');
  // Where there is room, it is beside the page.
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
  const { online } = useNetwork();
  useFocusOnNavigation();
  useEffect(keepFocus, []);
  const hasActed = useActed();
  useEffect(() => {
    if (hasActed) preloadDialog();
  }, [hasActed]);
  const brand = (
    <Link to="/" className={classes.brand} onClick={menu.close}>
      <img src={`${import.meta.env.BASE_URL}favicon.svg`} width={24} height={24} alt="" />
      {common.product}
    </Link>
  );
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
      </header>
      <nav className={classes.navbar} data-open={isOpen || undefined} aria-label={text.navigation}>
        <Box px="xs" pt="sm" pb="xl" visibleFrom="sm">
          {brand}
        </Box>
        <Navigation onLeave={menu.close} />
        <div className={classes.foot}>
          {hasActed && <UnderWay />}
          <a className={classes.link} href="/docs" target="_blank" rel="noreferrer">
            <CodeBracketIcon className={classes.icon} aria-hidden />
            {text.reference}
          </a>
          <Account />
        </div>
      </nav>
      <main className={classes.main}>
        {/* What the menu covers is out of the keyboard's reach. */}
        <div id="content" tabIndex={-1} className={classes.content} inert={isOpen}>
          {!online && (
            <Alert color="yellow" role="status" mb="lg">
              {text.offline}
            </Alert>
          )}
          <SessionEnded />
          <Outlet />
        </div>
        <div id={overlaysId} className={classes.overlays} />
        <Corner />
      </main>
    </>
  );
}
