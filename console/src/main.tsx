import './app/styles.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connect } from './api/client.ts';
import { App } from './app/app.tsx';
import { CannotStart, SignedOut, SignInFailed, WindowDone } from './app/before.tsx';
import { readConfig } from './auth/config.ts';
import { enter, signIn } from './auth/enter.ts';
import { managerFor } from './auth/manager.ts';
import { sessionOf } from './auth/session.ts';

const root = createRoot(document.getElementById('root') as HTMLElement);
const show = (page: ReactNode) => root.render(<StrictMode>{page}</StrictMode>);

/** What the visitor is to see first; nothing for one who is on the way to the issuer. */
async function firstPage(): Promise<ReactNode> {
  const config = await readConfig().catch((error: Error) => error);
  if (config instanceof Error) return <CannotStart reason={config.message} />;
  const manager = managerFor(config);
  const failed = (error: unknown) => <SignInFailed reason={String(error)} onSignIn={begin} />;
  const begin = () => void signIn(manager).catch((error) => show(failed(error)));
  try {
    const visitor = await enter(manager);
    switch (visitor.kind) {
      case 'person': {
        const session = sessionOf(manager, visitor.user);
        connect(config.api, session);
        return <App session={session} />;
      }
      case 'signed-out':
        return <SignedOut onSignIn={begin} />;
      case 'popup':
        return <WindowDone />;
      case 'leaving':
        return null;
    }
  } catch (error) {
    return failed(error);
  }
}

const page = await firstPage();
if (page) show(page);
