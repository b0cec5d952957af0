/** Returns a storable name for a credential: guards remember callers, but never their keys. */
import { hash } from 'node:crypto';

let last = { credential: '', name: nameOf('') };

/** The one that was asked for last is known: one call asks several times, and most show what the one before them showed. */
export function nameShown(credential: string): string {
  if (credential !== last.credential) last = { credential, name: nameOf(credential) };
  return last.name;
}

function nameOf(credential: string): string {
  return hash('sha256', credential, 'base64');
}
