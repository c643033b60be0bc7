import './app/styles.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connect } from './api/client.ts';
import { App } from './app/app.tsx';
import { CannotStart, SignedOut, SignInFailed, WindowDone } from './app/signed-out-pages.tsx';
import { readConfig } from './auth/config.ts';
import { createSession } from './auth/session.ts';
import { createUserManager } from './auth/user-manager.ts';
import { identifyVisitor, signIn } from './auth/visitor.ts';
import { takeWorkspaceFromAddress } from './auth/workspace.ts';

const root = createRoot(document.getElementById('root') as HTMLElement);
const show = (page: ReactNode) => root.render(<StrictMode>{page}</StrictMode>);

/** Returns the first page for the visitor; null if the browser is being redirected to the issuer. */
async function renderFirstPage(): Promise<ReactNode> {
  const config = await readConfig().catch((error: Error) => error);
  if (config instanceof Error) return <CannotStart reason={config.message} />;
  const manager = createUserManager(config);
  const renderFailure = (error: unknown) => <SignInFailed reason={String(error)} onSignIn={startSignIn} />;
  const startSignIn = () => void signIn(manager).catch((error) => show(renderFailure(error)));
  try {
    const visitor = await identifyVisitor(manager);
    switch (visitor.kind) {
      case 'signed-in': {
        takeWorkspaceFromAddress();
        const session = createSession(manager, visitor.user);
        connect(config.api, session);
        return <App session={session} />;
      }
      case 'signed-out':
        return <SignedOut onSignIn={startSignIn} />;
      case 'popup':
        return <WindowDone />;
      case 'leaving':
        return null;
    }
  } catch (error) {
    return renderFailure(error);
  }
}

const page = await renderFirstPage();
if (page) show(page);
