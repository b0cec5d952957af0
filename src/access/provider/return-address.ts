/** Decides to which page a browser returns after a sign-in. */

/**
 * Returns the absolute address of a page of ours, and the start page for anything else. The path is looked at after it was normalised:
 * `/w/../..//evil.test` has our origin, and a path that a browser would take for another host.
 */
export function returnAddress(origin: string, returnTo: string): string {
  const home = `${origin}/`;
  if (!URL.canParse(returnTo, home)) return home;
  const { origin: there, pathname, search } = new URL(returnTo, home);
  return there === origin && !pathname.startsWith('//') ? `${origin}${pathname}${search}` : home;
}
