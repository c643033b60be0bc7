import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queryClient } from '../api/query-client.ts';
import type { Session } from '../auth/session.ts';
import { SessionContext } from '../auth/session-context.ts';
import { router } from './router.tsx';
import { cssVariables, theme } from './theme.ts';

export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  );
}

/** The console for a signed-in user. */
export function App({ session }: { session: Session }) {
  return (
    <ThemeProvider>
      <SessionContext value={session}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </SessionContext>
    </ThemeProvider>
  );
}
