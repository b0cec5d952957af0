/** Returns a storable name for a credential: guards remember callers, but never their keys. */
import { hash } from 'node:crypto';

let last = { credential: '', name: nameOf('') };

/** Remembers the last name: one call asks for it several times, and most calls have the same credential as the call before. */
export function nameShown(credential: string): string {
  if (credential !== last.credential) last = { credential, name: nameOf(credential) };
  return last.name;
}

function nameOf(credential: string): string {
  return hash('sha256', credential, 'base64');
}
