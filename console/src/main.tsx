import './app/styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connect } from './api/client.ts';
import { App } from './app/app.tsx';
import { CannotStart, SignedOut, SignInFailed, WindowDone } from './app/before.tsx';
import { readConfig } from './auth/config.ts';
import { enter, signIn } from './auth/enter.ts';
import { managerFor } from './auth/manager.ts';
import { sessionOf } from './auth/session.ts';

/** What the visitor is to see first; nothing for one who is on the way to the issuer. */
async function firstPage() {
  const config = await readConfig().catch((error: Error) => error);
  if (config instanceof Error) return <CannotStart reason={config.message} />;
  const manager = managerFor(config);
  try {
    const visitor = await enter(manager);
    switch (visitor.kind) {
      case 'person': {
        const session = sessionOf(manager, visitor.user);
        connect(config.api, session);
        return <App session={session} />;
      }
      case 'signed-out':
        return <SignedOut onSignIn={() => void signIn(manager)} />;
      case 'popup':
        return <WindowDone />;
      case 'leaving':
        return null;
    }
  } catch (error) {
    return <SignInFailed reason={String(error)} onSignIn={() => void signIn(manager)} />;
  }
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<StrictMode>{await firstPage()}</StrictMode>);
