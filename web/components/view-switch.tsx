/** One thing looked at in a few ways: links side by side, for each way has an address. */
import { Link } from '../navigation/link.tsx';
import styles from './view-switch.module.css';

export interface View {
  key: string;
  label: string;
  href: string;
}

export function ViewSwitch({
  label,
  views,
  current,
}: {
  label: string;
  views: readonly View[];
  current: string;
}) {
  return (
    <nav className={styles.switch} aria-label={label}>
      {views.map((view) => (
        <Link key={view.key} href={view.href} aria-current={view.key === current ? 'page' : undefined}>
          {view.label}
        </Link>
      ))}
    </nav>
  );
}
