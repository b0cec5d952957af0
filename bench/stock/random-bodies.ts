/** Bodies of calls that move stock of a random item. */

interface Stocked {
  items: readonly string[];
  locations: readonly string[];
}

export function randomAdjustment({ items, locations }: Stocked, quantity: number) {
  return { itemEntityId: pick(items), locationEntityId: pick(locations), quantity };
}

/** One unit from one location to another. */
export function randomMove({ items, locations }: Stocked) {
  const from = pick(locations);
  return {
    itemEntityId: pick(items),
    fromLocationEntityId: from,
    toLocationEntityId: pick(locations.filter((one) => one !== from)),
    quantity: 1,
  };
}

export function pick<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)] as T;
}
