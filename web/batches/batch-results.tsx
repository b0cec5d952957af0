/** The result of each item of an import; for a dry run, what it would change. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ask } from '../client/ask.ts';
import type { LinkChange, SyncBatch, SyncProblems, SyncResult } from '../client/operations.ts';
import { readAtEnd } from '../client/read-at-end.ts';
import { ChangedValue } from '../components/changed-value.tsx';
import { codeColumn, textColumn } from '../components/lists/columns.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { List } from '../components/lists/list-page.tsx';
import { RowActions } from '../components/lists/row-actions.tsx';
import { EmptyState, Waiting } from '../components/page-frame.tsx';
import { StatusWord } from '../components/words.tsx';
import { useAddress } from '../navigation/address.ts';
import { paths } from '../navigation/paths.ts';
import { isRunning, resultText, resultTone } from './batch-words.tsx';
import styles from './batches.module.css';
import { filtersOf } from './result-filters.ts';
import { SentDialog } from './sent-dialog.tsx';
import { type SentName, useRefusedNames } from './use-sent-names.ts';

/** Reads the results anew when the batch ends, also where its end is not heard of by the stream. */
function useResultsAtEnd(batch: SyncBatch): void {
  const client = useQueryClient();
  const runs = isRunning(batch);
  const ran = useRef(runs);
  useEffect(() => {
    if (ran.current && !runs) readAtEnd(client, batch.batchId);
    ran.current = runs;
  }, [client, batch.batchId, runs]);
}

function Empty({ batch }: { batch: SyncBatch }) {
  const { created, updated, skipped, error } = batch.counts;
  if (isRunning(batch))
    return <EmptyState title="No results yet">They appear while the import runs.</EmptyState>;
  if (batch.resultsGone === true)
    return <EmptyState title="No results">They are deleted some time after an import.</EmptyState>;
  // They are being read.
  if (created + updated + skipped + error > 0) return <Waiting lines={4} />;
  return <EmptyState title="No results">The import ended before it had any.</EmptyState>;
}

export function BatchResults({ batch }: { batch: SyncBatch }) {
  const address = useAddress();
  const [looked, setLooked] = useState<SyncResult | null>(null);
  const place = placeOf(address.get('element'));
  const { set } = address;
  const look = useCallback(
    (row: SyncResult) => {
      setLooked(row);
      set({ element: String(row.index) });
    },
    [set],
  );
  const here = useShownWhenNarrowed();
  useResultsAtEnd(batch);
  const names = useRefusedNames(batch);
  const { data: problems } = useQuery(ask('listSyncProblems', { id: batch.batchId }));
  const columns = useMemo(
    () => columnsOf(batch, names, fixedIn(batch, problems), look),
    [batch, names, problems, look],
  );
  return (
    <div ref={here} className={styles.results}>
      <List
        label={`Results of ${batch.profileName}`}
        noun={['item', 'items']}
        name="listSyncResults"
        input={{ id: batch.batchId }}
        columns={columns}
        rowKey={({ index }) => String(index)}
        hrefOf={({ entityId }) => (entityId === undefined ? null : paths.entity(entityId))}
        nameOf={({ number, guid, index }) => number ?? names.get(index)?.number ?? guid ?? `row ${index}`}
        filters={filtersOf(batch)}
        heightMax={640}
        empty={<Empty batch={batch} />}
      />
      {place !== null && (
        <SentDialog
          key={place}
          batchId={batch.batchId}
          index={place}
          result={looked?.index === place ? looked : undefined}
          onClose={() => set({ element: undefined }, 'replace')}
        />
      )}
    </div>
  );
}

/** The row that the address names, so that a link can lead to it. */
function placeOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Scrolls to the results when a link among the problems filters them. */
function useShownWhenNarrowed() {
  const here = useRef<HTMLDivElement>(null);
  const address = useAddress();
  const narrowed = ['result', 'code', 'warning'].map((key) => address.get(key) ?? '').join(' ');
  const last = useRef(narrowed);
  useEffect(() => {
    if (last.current === narrowed) return;
    last.current = narrowed;
    const top = here.current?.getBoundingClientRect().top ?? 0;
    if (top > window.innerHeight / 2) here.current?.scrollIntoView({ block: 'start' });
  }, [narrowed]);
  return here;
}

/** Tells whether a later import has accepted a rejected item; unknown when there are more than the service names. */
function fixedIn(batch: SyncBatch, problems: SyncProblems | undefined): (guid: string) => boolean {
  const left = problems?.stillRejected;
  if (batch.dryRun || left === undefined || left.count > left.guids.length) return () => false;
  const guids = new Set(left.guids);
  return (guid) => !guids.has(guid);
}

function columnsOf(
  { dryRun }: SyncBatch,
  names: ReadonlyMap<number, SentName>,
  isFixed: (guid: string) => boolean,
  look: (row: SyncResult) => void,
): GridColumn<SyncResult>[] {
  return [
    {
      key: 'number',
      header: 'Item',
      width: 180,
      phone: 'title',
      cell: ({ number, guid, index }) => (
        <span className="mono">{number ?? names.get(index)?.number ?? guid ?? `#${index}`}</span>
      ),
      text: ({ number, index }) => number ?? names.get(index)?.number ?? null,
    },
    {
      key: 'result',
      header: 'Result',
      width: 92,
      phone: 'side',
      cell: ({ result, guid }) =>
        result === 'error' && guid !== null && isFixed(guid) ? (
          <StatusWord tone="quiet">fixed since</StatusWord>
        ) : (
          <StatusWord tone={resultTone(result)}>{resultText(result)}</StatusWord>
        ),
      text: ({ result }) => result,
    },
    {
      key: 'message',
      header: dryRun ? 'Changes' : 'Message',
      width: 320,
      grow: 1,
      phone: 'detail',
      cell: (row) => <Words row={row} />,
      text: wordsOf,
    },
    textColumn('index', 'Row', { width: 70, align: 'end' }),
    codeColumn('guid', 'GUID', { width: 300, hidden: true }),
    {
      key: 'revision',
      header: 'Rev.',
      width: 48,
      hidden: true,
      cell: ({ revision }) => revision ?? '',
      text: ({ revision }) => revision ?? null,
    },
    {
      key: 'sent',
      header: 'Source',
      width: 64,
      phone: 'side',
      cell: (row) => (
        <RowActions
          actions={[{ icon: 'eye', label: `Show row ${row.index} as received`, onClick: () => look(row) }]}
        />
      ),
    },
  ];
}

function Words({ row }: { row: SyncResult }) {
  const { message, warnings, changes, links } = saidOf(row);
  return (
    <span title={wordsOf(row)}>
      {message !== undefined && <span className="bad">{message} </span>}
      {changes.map(({ field, from, to }) => (
        <ChangedValue
          key={field}
          name={field.replace(/^properties\./, '')}
          was={from === null ? null : String(from)}
          is={to === null ? 'none' : String(to)}
        />
      ))}
      {links.map((link) => (
        <ChangedValue
          key={`${link.parentGuid} ${link.childId}`}
          name={linkName(link, 8)}
          was={link.from === null || link.from === link.to ? null : `× ${link.from}`}
          is={link.to === null ? 'removed' : `× ${link.to}`}
        >
          {link.changes?.map(({ field, from, to }) => (
            <ChangedValue
              key={field}
              name={field}
              was={from === null ? null : lineText(from)}
              is={to === null ? 'none' : lineText(to)}
            />
          ))}
        </ChangedValue>
      ))}
      {warnings.map(({ message: text }) => (
        <span key={text}>{text} </span>
      ))}
    </span>
  );
}

/** Names the other end of the link. The item is the parent of a removed link. */
function linkName({ parentGuid, childId, childGuid }: LinkChange, length = 36): string {
  const name = (guid: string) => (guid.length > length ? `${guid.slice(0, length)}…` : guid);
  return childId === undefined ? `in ${name(parentGuid)}` : `of it ${name(childGuid ?? childId)}`;
}

function lineText(value: string | string[]): string {
  return typeof value === 'string' ? value : value.join(', ');
}

/** The error; or the warnings and, for a dry run, the changes. */
function saidOf(row: SyncResult) {
  const { warnings = [] } = row;
  if (row.result === 'error') return { message: row.message, warnings, changes: [], links: [] };
  return { message: undefined, warnings, changes: row.changes ?? [], links: row.links ?? [] };
}

function wordsOf(row: SyncResult): string {
  const { message, warnings, changes, links } = saidOf(row);
  return [
    ...(message === undefined ? [] : [message]),
    ...changes.map(({ field, from, to }) => `${field}: ${from ?? ''} → ${to ?? ''}`),
    ...links.map((link) => `${linkName(link)}: ${link.from ?? 0} → ${link.to ?? 0}`),
    ...warnings.map((warning) => warning.message),
  ].join('; ');
}
