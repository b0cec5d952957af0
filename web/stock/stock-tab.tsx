/** What there is of an item, or at a location. */
export function StockTab() {
  return <p>…</p>;
}
