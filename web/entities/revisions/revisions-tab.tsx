/** The revisions of an entity, and what changed between two of them. */
import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { askPages, type ItemOf } from '../../client/ask.ts';
import { momentColumn, textColumn } from '../../components/lists/columns.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { GridSheet, Sheet, Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { useAddress } from '../../navigation/address.ts';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { Comparison } from '../compare/comparison.tsx';
import { ConfigurationSelect } from '../configuration-select.tsx';
import styles from '../entities.module.css';
import { stateColumn } from '../lists/entity-columns.tsx';
import { useEntity } from '../use-entity.ts';
import { RevisionSheet } from './revision-sheet.tsx';

export function RevisionsTab() {
  const { entity } = useEntity();
  const address = useAddress();
  const query = useInfiniteQuery(askPages('listRevisions', { id: entity.id, query: {} }));
  const revisions = (query.data?.pages ?? []).flatMap(({ items }) => items);
  const to = Number(address.get('to') ?? entity.revisionNumber);
  const from = Number(address.get('from') ?? Math.max(1, to - 1));
  const shown = Number(address.get('shown') ?? 0);
  if (query.isError) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <Waiting />;
  const choices = revisions.map(({ revision, revisionNumber, state }) => ({
    value: String(revisionNumber),
    label: `${revision} (${state})`,
  }));
  return (
    <>
      <GridSheet>
        <List
          label={`Revisions ${entity.number ?? ''}`}
          noun={['revision', 'revisions']}
          name="listRevisions"
          input={{ id: entity.id }}
          rowKey={({ versionId }) => versionId}
          heightMax={480}
          columns={columnsOf(entity.id, entity.revisionNumber)}
          empty={null}
        />
      </GridSheet>
      {shown > 0 && <RevisionSheet key={shown} id={entity.id} n={shown} />}
      {entity.revisionNumber > 1 && (
        <Sheet title="What changed">
          <div className={styles.compare}>
            <div className={styles.compareHead}>
              <NativeSelect
                label="From"
                data={choices}
                value={String(from)}
                onChange={(event) => address.set({ from: event.currentTarget.value, to: String(to) })}
              />
              <NativeSelect
                label="To"
                data={choices}
                value={String(to)}
                onChange={(event) => address.set({ from: String(from), to: event.currentTarget.value })}
              />
              <ConfigurationSelect />
            </div>
            <Comparison id={entity.id} from={from} to={to} />
          </div>
        </Sheet>
      )}
    </>
  );
}

type Revision = ItemOf<'listRevisions'>;

function columnsOf(id: string, current: number): GridColumn<Revision>[] {
  return [
    {
      key: 'revision',
      header: 'Revision',
      width: 96,
      phone: 'title',
      cell: (one) => (
        <>
          <Link
            href={paths.entity(id, 'revisions', { shown: one.revisionNumber })}
            aria-label={`Show revision ${one.revision}`}
          >
            <strong>{one.revision}</strong>
          </Link>
          {one.revisionNumber === current && <span className="muted"> current</span>}
        </>
      ),
      text: ({ revision }) => revision,
    },
    textColumn('name', 'Name', { width: 140, grow: 1, phone: 'detail' }),
    stateColumn,
    momentColumn('createdAt', 'Opened', { width: 96, phone: 'detail' }),
    {
      key: 'createdBy',
      header: 'By',
      width: 120,
      spare: 1,
      cell: ({ createdBy }) => createdBy.name,
      text: ({ createdBy }) => createdBy.name,
    },
    {
      key: 'compare',
      header: 'Compare',
      width: 72,
      phone: 'side',
      cell: ({ revision, revisionNumber: to }) =>
        to > 1 && (
          <Link
            href={paths.entity(id, 'revisions', { from: to - 1, to })}
            aria-label={`Compare ${revision} with the one before`}
          >
            Compare
          </Link>
        ),
    },
  ];
}
