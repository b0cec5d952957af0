/** Item and location of a position in one text, for maps. */
export function placeKey({ itemId, locationId }: { itemId: string; locationId: string }): string {
  return itemId + locationId;
}

const UUID_CHARS = 36;

/** Returns item and location. */
export function placeOfKey(key: string): [string, string] {
  return [key.slice(0, UUID_CHARS), key.slice(UUID_CHARS)];
}
