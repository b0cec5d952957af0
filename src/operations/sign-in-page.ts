/** The page on which the operator shows the token, or goes on as the person who is signed in. */
import { escapeHtml } from './escape-html.ts';
import type { PersonHere } from './operator-person.ts';

const STALE =
  'You signed in too long ago to open the console. Sign out of the app and sign in again, then come back.';
const PROVE = 'You signed in too long ago to open the console. Show your password again.';

/** `complaint` is one of our own sentences, never the caller's text. */
export function signInPage(
  action: string,
  complaint: string | null,
  person: (Pick<PersonHere, 'name' | 'isProved'> & { hasPassword: boolean }) | null,
): string {
  const name = person === null ? '' : escapeHtml(person.name);
  const asPerson =
    person === null
      ? ''
      : person.isProved
        ? `<form method="post" action="${action}">
  <input type="hidden" name="as" value="person">
  <button autofocus>Continue as ${name}</button>
</form>`
        : person.hasPassword
          ? `<p>${name}: ${PROVE}</p>
<form method="post" action="${action}">
  <input type="hidden" name="as" value="person">
  <label for="password">Your password</label>
  <input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
  <button>Continue as ${name}</button>
</form>`
          : `<p>${name}: ${STALE}</p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in · Partbook operations</title>
<link rel="stylesheet" href="/admin/console.css">
<link rel="icon" href="/admin/icon.svg" type="image/svg+xml">
</head>
<body>
<main class="sign-in">
<h1>Partbook operations</h1>
${complaint === null ? '' : `<p role="alert">${complaint}</p>`}
${asPerson}
<form method="post" action="${action}">
  <label for="token">Operator token</label>
  <input id="token" name="token" type="password" autocomplete="current-password" required${person === null ? ' autofocus' : ''}>
  <button>Sign in</button>
</form>
</main>
</body>
</html>
`;
}
