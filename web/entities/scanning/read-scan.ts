/** What a scanner or a camera read: the address on one of our labels, a GUID, or a number. */
const address = /\/w\/[a-z0-9-]+\/entities\/([0-9a-f-]{36})\b/i;
const guid = /^\{?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\}?$/i;

export function readScan(text: string): { id: string } | { number: string } {
  const trimmed = text.trim();
  const inAddress = address.exec(trimmed)?.[1];
  if (inAddress !== undefined) return { id: inAddress.toLowerCase() };
  const plain = guid.exec(trimmed)?.[1];
  return plain === undefined ? { number: trimmed } : { id: `guid:${plain.toLowerCase()}` };
}
