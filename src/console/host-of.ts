/** Where a webhook leads, as the operator may see it: what stands behind the host is the workspace's own, and often a secret. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
