import { createHash } from 'node:crypto';

const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { display: grid; place-content: center; min-height: 90vh; margin: 0 1rem; }
  main { width: min(20rem, 90vw); }
  label, input, button { display: block; box-sizing: border-box; width: 100%; font: inherit; }
  input, button { margin: 0.25rem 0 1rem; padding: 0.5rem; }
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  // The form ends in a redirect to the console.
  "form-action 'self' http://127.0.0.1:* http://localhost:*",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => escapes[char] ?? char);

function buildPage(title: string, content: string, status: number): Response {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
<main>
<h1>${title}</h1>
${content}
</main>
</html>
`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
  };
  return new Response(html, { status, headers });
}

/** What a person enters to sign in. */
export interface SignIn {
  name: string;
  /** Ids of workspaces, separated by commas. */
  workspace: string;
  role: string;
}

const buildWorkspaceFields = ({ workspace, role }: SignIn) => `<label for="workspace">Workspace (optional)</label>
<input id="workspace" name="workspace" value="${escapeHtml(workspace)}" maxlength="1000" placeholder="acme, or several: acme, globex">
<label for="role">Role (optional)</label>
<input id="role" name="role" value="${escapeHtml(role)}" maxlength="100">
`;

/**
 * Builds the sign-in form. It posts to its own address, which keeps the parameters of the authorization request. Asks for a workspace if
 * there are any.
 */
export const buildForm = (signIn: SignIn, hasWorkspaces: boolean): Response =>
  buildPage(
    'Who are you?',
    `<p>This token issuer works on your machine only. It accepts any name and needs no password.</p>
<form method="post">
<label for="name">User name</label>
<input id="name" name="name" value="${escapeHtml(signIn.name)}" required maxlength="100" autocomplete="username" autofocus>
${hasWorkspaces ? buildWorkspaceFields(signIn) : ''}<button>Sign in</button>
</form>`,
    200,
  );

/** Builds a page with a message. Its arguments must not contain user input. */
export const buildMessage = (title: string, sentence: string, status = 200): Response =>
  buildPage(title, `<p>${sentence}</p>`, status);
