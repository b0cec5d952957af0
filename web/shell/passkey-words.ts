/** What the browser says of passkeys, in words of ours. */

/** Browsers do not tell whether somebody cancelled, waited too long or has none. */
export function notChosen(error: unknown): Error | null {
  const isCancelled = error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);
  return isCancelled ? new Error('No passkey was chosen. Try again, or use another way.') : null;
}
