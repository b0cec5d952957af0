/**
 * Returns the host of a webhook, which the operator may see: the rest of the address belongs to the workspace and
 * is often secret.
 */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
