/** Who changed which setting or key, when, from what to what. */
import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { AuditEntry } from '../client/operations.ts';
import { actorColumn, momentColumn } from '../components/lists/columns.tsx';
import { List } from '../components/lists/list-page.tsx';
import { RowActions } from '../components/lists/row-actions.tsx';
import { EmptyState, GridSheet } from '../components/page-frame.tsx';
import { StatusWord } from '../components/words.tsx';
import styles from './settings.module.css';

export function AuditTab() {
  const [shown, setShown] = useState<AuditEntry | null>(null);
  return (
    <GridSheet>
      <List
        label="Audit"
        noun={['entry', 'entries']}
        name="listAudit"
        input={{}}
        rowKey={({ id }) => id}
        heightMax={640}
        columns={[
          momentColumn('recordedAt', 'When', { width: 130, phone: 'detail' }),
          {
            key: 'action',
            header: 'Did',
            width: 90,
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
            width: 240,
            grow: 1,
            phone: 'title',
            cell: ({ subjectType, subjectKey }) => (
              <>
                {subjectType} <span className="mono">{subjectKey}</span>
              </>
            ),
            text: ({ subjectType, subjectKey }) => `${subjectType} ${subjectKey}`,
          },
          actorColumn('Who', { width: 180 }),
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
                    label: `Show what changed in ${entry.subjectType} ${entry.subjectKey}`,
                    onClick: () => setShown(entry),
                  },
                ]}
              />
            ),
          },
        ]}
        empty={<EmptyState title="Nothing has been changed yet" />}
      />
      {shown !== null && (
        <Modal
          opened
          onClose={() => setShown(null)}
          title={`${shown.subjectType} ${shown.subjectKey}`}
          size="xl"
        >
          {shown.redacted && <p className="muted">Parts of it are for administrators alone.</p>}
          <div className={styles.two}>
            <Side title="Before" value={shown.before} />
            <Side title="After" value={shown.after} />
          </div>
        </Modal>
      )}
    </GridSheet>
  );
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
