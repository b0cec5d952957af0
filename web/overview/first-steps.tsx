/** A checklist for a new workspace: what to set up first, and what is done already. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import { useMay } from '../client/session.ts';
import { Icon } from '../components/icons.tsx';
import { Sheet } from '../components/page-frame.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './overview.module.css';

const one = { limit: 1 } as const;

interface Step {
  /** Undefined while it is not known. */
  done: boolean | undefined;
  label: string;
  href: string;
  text: string;
}

export function FirstSteps() {
  const mayImport = useMay('engineering');
  const mayCount = useMay('stock');
  const admin = useMay('admin');
  const items = useQuery(ask('listEntities', { query: { role: 'item', ...one } })).data;
  const locations = useQuery(ask('listEntities', { query: { role: 'location', ...one } })).data;
  const ledger = useQuery(ask('listLedger', { query: one })).data;
  const keys = useQuery({ ...ask('listApiKeys', { query: { limit: 2 } }), enabled: admin }).data;
  if (!mayImport) {
    return (
      <Sheet title="No imports yet">
        <p>Items arrive with the first import, or when an engineer creates them.</p>
      </Sheet>
    );
  }
  const steps: Step[] = [
    {
      done: items && items.items.length > 0,
      label: 'Import your parts',
      href: paths.imports(),
      text: 'from a list, a BOM or a CAD export. You see every change before it is written.',
    },
    {
      done: locations && locations.items.length > 0,
      label: 'Create a location',
      href: paths.entities({ role: 'location' }),
      text: 'such as a shelf or a bin, with “New”.',
    },
    ...(mayCount
      ? [
          {
            done: ledger && ledger.items.length > 0,
            label: 'Record your stock',
            href: paths.stockPage('count'),
            text: 'by counting a location.',
          },
        ]
      : []),
    ...(admin
      ? [
          {
            done: keys && keys.items.length > 1,
            label: 'Give everybody their own API key',
            href: paths.settings('keys'),
            text: 'so that the ledger names who did what.',
          },
        ]
      : []),
  ];
  return (
    <Sheet title="First steps">
      <ol className={styles.steps}>
        {steps.map(({ done, label, href, text }) => (
          <li key={label}>
            <span className={styles.tick} data-done={done === true ? '' : undefined}>
              {done === true && <Icon name="check" size={12} />}
            </span>
            <span>
              <Link href={href}>{label}</Link> {text}
              {done === true && <span className="visually-hidden"> Done.</span>}
            </span>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}
