/** The audit trail: who changed which setting or key, when, and the values before and after. */
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askAll } from '../client/ask.ts';
import type { AuditEntry } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { ReturnFocus } from '../components/dialogs/use-return-focus.ts';
import { actorColumn, momentColumn } from '../components/lists/columns.tsx';
import type { Filter } from '../components/lists/filter-bar.tsx';
import { List } from '../components/lists/list-page.tsx';
import { RowActions } from '../components/lists/row-actions.tsx';
import { EmptyState, GridSheet } from '../components/page-frame.tsx';
import { StatusWord } from '../components/words.tsx';
import styles from './settings.module.css';

const options = (values: readonly (readonly [value: string, label: string])[]) =>
  values.map(([value, label]) => ({ value, label }));

/** Labels for the subject types of the trail. */
const kinds = [
  ['category', 'Category'],
  ['propertyDefinition', 'Property'],
  ['lifecycle', 'Lifecycle'],
  ['apiKey', 'API key'],
  ['member', 'Member'],
  ['invitation', 'Invitation'],
  ['signInLink', 'Sign-in link'],
  ['automation', 'Automation'],
  ['webhook', 'Webhook'],
  ['importDefinition', 'Import mapping'],
  ['savedView', 'Saved view'],
  ['comment', 'Comment'],
  ['bulkEdit', 'Bulk edit'],
  ['entity', 'Item'],
  ['pendingLink', 'Pending link'],
  ['order', 'Order'],
  ['stockLine', 'Stock line'],
  ['ledgerDigest', 'Ledger digest'],
  ['workspace', 'Workspace'],
] as const;

function kindText(subjectType: string): string {
  return kinds.find(([kind]) => kind === subjectType)?.[1] ?? subjectType;
}

export function AuditTab() {
  const [shown, setShown] = useState<AuditEntry | null>(null);
  const isAdmin = useMay('admin');
  const keys = useQuery({ ...askAll('listApiKeys', {}), enabled: isAdmin });
  // With those who have left; others read the names of active members alone.
  const members = useQuery({ ...askAll('listMembers', {}), enabled: isAdmin });
  const people = useQuery({ ...askAll('listPeople', {}), enabled: !isAdmin });
  const filters: Filter[] = [
    {
      key: 'actorId',
      label: 'Who',
      // The entries of a member include those of its keys.
      options: [...(members.data ?? people.data ?? []), ...(keys.data ?? [])].map(({ id, name }) => ({
        value: id,
        label: name,
      })),
    },
    { key: 'subjectType', label: 'What', options: options(kinds) },
    { key: 'subjectKey', label: 'Key or id' },
    {
      key: 'action',
      label: 'Action',
      options: ['create', 'update', 'delete', 'revoke'].map((value) => ({ value, label: value })),
    },
    { key: 'from', label: 'From', type: 'datetime-local' },
    { key: 'to', label: 'Before', type: 'datetime-local' },
  ];
  return (
    <GridSheet>
      <List
        label="Audit"
        noun={['entry', 'entries']}
        name="listAudit"
        input={{}}
        rowKey={({ id }) => id}
        filters={filters}
        heightMax={640}
        columns={[
          momentColumn('recordedAt', 'When', { width: 110, phone: 'detail' }),
          {
            key: 'action',
            header: 'Action',
            width: 90,
            phone: 'detail',
            cell: ({ action }) => (
              <StatusWord tone={action === 'delete' || action === 'revoke' ? 'warn' : 'quiet'}>
                {action}
              </StatusWord>
            ),
            text: ({ action }) => action,
          },
          {
            key: 'subject',
            header: 'What',
            width: 220,
            grow: 1,
            phone: 'title',
            cell: ({ subjectType, subjectKey, before, after }) => (
              <>
                {kindText(subjectType)} <Subject name={nameOf({ before, after })} subjectKey={subjectKey} />
              </>
            ),
            text: ({ subjectType, subjectKey }) => `${subjectType} ${subjectKey}`,
          },
          actorColumn('Who', { width: 140, grow: 0.5, phone: 'detail' }),
          {
            key: 'show',
            header: 'Show',
            width: 60,
            phone: 'side',
            cell: (entry) => (
              <RowActions
                actions={[
                  {
                    icon: 'search',
                    label: `Show what changed in ${kindText(entry.subjectType)} ${nameOf(entry) ?? entry.subjectKey}`,
                    onClick: () => setShown(entry),
                  },
                ]}
              />
            ),
          },
        ]}
        empty={<EmptyState title="No changes yet" />}
      />
      {shown !== null && (
        <Modal
          opened
          onClose={() => setShown(null)}
          title={`${kindText(shown.subjectType)} ${nameOf(shown) ?? shown.subjectKey}`}
          size="xl"
        >
          <ReturnFocus />
          {shown.redacted && <p className="muted">Some values are visible to administrators only.</p>}
          <div className={styles.two}>
            <Side title="Before" value={shown.before} />
            <Side title="After" value={shown.after} />
          </div>
        </Modal>
      )}
    </GridSheet>
  );
}

function Subject({ name, subjectKey }: { name: string | null; subjectKey: string }) {
  return name === null ? (
    <span className="mono">{subjectKey}</span>
  ) : (
    <span title={subjectKey}>
      <strong>{name}</strong>
    </span>
  );
}

/** The name of the thing at that time, which tells people more than its id. */
function nameOf({ before, after }: { before?: unknown; after?: unknown }): string | null {
  const thing = after ?? before;
  if (typeof thing !== 'object' || thing === null) return null;
  const { name, url, number } = thing as { name?: unknown; url?: unknown; number?: unknown };
  const called = [name, url, number].find((text) => typeof text === 'string' && text !== '');
  return typeof called === 'string' ? called : null;
}

function Side({ title, value }: { title: string; value: unknown }) {
  return (
    <div>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre className={styles.json} tabIndex={0}>
        {value === null || value === undefined ? '–' : JSON.stringify(value, null, 2)}
      </pre>
    </div>
  );
}
