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
<link rel="stylesheet" href="/admin/console.css">
<link rel="icon" href="/admin/icon.svg" type="image/svg+xml">
</head>
<body>
<main class="sign-in">
<form method="post" action="${action}">
  <h1>Partbook operations</h1>
  ${complaint === null ? '' : `<p role="alert">${complaint}</p>`}
  <label for="token">Operator token</label>
  <input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
  <button>Sign in</button>
</form>
</main>
</body>
</html>
`;
}
