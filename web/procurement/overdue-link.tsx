/** To what is overdue among what a list shows now: its other filters stay, and the second click takes back what the first one set. */
import { today } from '../components/words.tsx';
import { useAddress } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { dueFirst } from '../navigation/paths.ts';
import { useOpenState } from './orders/order-words.tsx';
import styles from './procurement.module.css';

export function OverdueLink({ of }: { of: 'orders' | 'lines' }) {
  const address = useAddress();
  const open = useOpenState(of);
  const day = today();
  const before = address.get('requiredBefore');
  const isOn = before !== undefined && before <= day && address.get('state') === open;
  const next = new URLSearchParams(address.search);
  const set = (key: string, value: string | undefined) =>
    value === undefined ? next.delete(key) : next.set(key, value);
  set('state', isOn ? undefined : open);
  set('requiredBefore', isOn ? undefined : before !== undefined && before < day ? before : day);
  // What is required from a day to come on is not overdue.
  if ((address.get('requiredFrom') ?? '') >= day) next.delete('requiredFrom');
  if (of === 'lines') for (const [key, value] of Object.entries(dueFirst)) set(key, isOn ? undefined : value);
  return (
    <Link className={styles.tool} href={next.size === 0 ? address.pathname : `${address.pathname}?${next}`}>
      {isOn ? 'Not only what is overdue' : 'What is overdue'}
    </Link>
  );
}
