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
  // The console is where the form leads to in the end.
  "form-action 'self' http://127.0.0.1:* http://localhost:*",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => escapes[char] ?? char);

function page(title: string, content: string, status: number): Response {
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
    'referrer-policy': 'no-referrer',
  };
  return new Response(html, { status, headers });
}

/** Asks who signs in. The form goes back to the address that it came from, with all that was asked there. */
export const askWho = (name: string): Response =>
  page(
    'Who are you?',
    `<p>This issuer of tokens is for your machine alone. It takes any name at its word, and asks for no password.</p>
<form method="post">
<label for="name">User name</label>
<input id="name" name="name" value="${escaped(name)}" required maxlength="100" autocomplete="username" autofocus>
<button>Sign in</button>
</form>`,
    200,
  );

/** Tells something. Takes no text from outside. */
export const say = (title: string, sentence: string, status = 200): Response =>
  page(title, `<p>${sentence}</p>`, status);
