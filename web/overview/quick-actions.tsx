/** Links to what people do most, grouped by their work. */
import { useMay } from '../client/session.ts';
import { Sheet } from '../components/page-frame.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './overview.module.css';

type Action = readonly [label: string, href: string];

export function QuickActions() {
  const mayCount = useMay('stock');
  const mayImport = useMay('engineering');
  const groups: readonly (readonly [title: string, actions: readonly Action[]])[] = [
    [
      'Parts',
      [
        ['Find a part', paths.entities({ role: 'item' })],
        ['Pending links', paths.pendingLinks()],
      ],
    ],
    [
      'Stock',
      [
        ['Stock positions', paths.stock()],
        ...(mayCount ? [['Count a location', paths.stockPage('count')] as const] : []),
        ['Ledger', paths.stockPage('ledger')],
      ],
    ],
    [
      'Purchasing',
      [
        ['Shortages of projects', paths.procurement()],
        ['Orders', paths.orders()],
        ['Requirements', paths.requirements({ status: 'open' })],
      ],
    ],
    [
      'Imports',
      [
        ...(mayImport ? [['Import a file', paths.imports()] as const] : []),
        ['Import history', paths.batches()],
      ],
    ],
  ];
  return (
    <Sheet title="Quick actions">
      <div className={styles.groups}>
        {groups.map(([title, actions]) => (
          <div key={title}>
            <h3>{title}</h3>
            <ul className={styles.ways}>
              {actions.map(([label, href]) => (
                <li key={label}>
                  <Link href={href}>{label}</Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Sheet>
  );
}
