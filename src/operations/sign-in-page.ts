/** The page on which the operator shows the token. */

/** `complaint` is one of our own sentences, never the caller's text. */
export function signInPage(action: string, complaint: string | null): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in · Partbook operations</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { display: grid; place-content: center; min-height: 100vh; margin: 0; }
  form { display: grid; gap: .75rem; width: min(22rem, 90vw); }
  h1 { font-size: 1.25rem; margin: 0; }
  input, button { font: inherit; padding: .5rem .75rem; }
  [role=alert] { color: #c0272d; margin: 0; }
</style>
</head>
<body>
<form method="post" action="${action}">
  <h1>Partbook operations</h1>
  ${complaint === null ? '' : `<p role="alert">${complaint}</p>`}
  <label for="token">Operator token</label>
  <input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
  <button>Sign in</button>
</form>
</body>
</html>
`;
}
