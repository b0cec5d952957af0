/** How far a need is covered, as a bar: reserved, available, on order, and the rest that is short. */
import type { Shortage } from '../client/operations.ts';
import { quantityText } from '../components/words.tsx';
import styles from './coverage.module.css';

type Covered = Pick<Shortage, 'neededQty' | 'reservedQty' | 'availableQty' | 'onOrderQty'>;

export function Coverage({ of }: { of: Covered }) {
  const parts = partsOf(of);
  const text = coverageText(of);
  return (
    <span className={styles.bar} role="img" aria-label={text} title={text}>
      {parts.map(({ key, share }) => (
        <span key={key} className={styles[key]} style={{ width: `${share}%` }} />
      ))}
    </span>
  );
}

/** The same in words, for exports and for those who cannot see the bar. */
export function coverageText({ neededQty, reservedQty, availableQty, onOrderQty }: Covered): string {
  const parts = [
    [reservedQty, 'reserved'],
    [availableQty, 'available'],
    [onOrderQty, 'on order'],
  ] as const;
  const said = parts
    .filter(([value]) => value !== 0)
    .map(([value, word]) => `${quantityText(value)} ${word}`);
  return `${said.length === 0 ? 'Nothing' : said.join(', ')} of ${quantityText(neededQty)} needed`;
}

/** Shares of the need in percent. Stock that is owed to others covers nothing. */
function partsOf({ neededQty, reservedQty, availableQty, onOrderQty }: Covered) {
  let left = neededQty;
  const take = (quantity: number): number => {
    const taken = Math.min(Math.max(quantity, 0), left);
    left -= taken;
    return neededQty > 0 ? (100 * taken) / neededQty : 0;
  };
  return [
    { key: 'reserved', share: take(reservedQty) },
    { key: 'available', share: take(availableQty) },
    { key: 'onOrder', share: take(onOrderQty) },
  ] as const;
}
