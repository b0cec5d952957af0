/** Which workspace a tab shows: the one that its address names. Another one is another page load. */
const form = /^\/w\/([a-z0-9][a-z0-9-]{1,62})(?=\/|$)/;

/** The slug in an address of the app; empty outside of any workspace. */
export function slugOf(pathname: string): string {
  return form.exec(pathname)?.[1] ?? '';
}

export function currentSlug(): string {
  return slugOf(window.location.pathname);
}
