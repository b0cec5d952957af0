/** One revision as it is kept: what it said of the entity, and what it was made of. */
import { useQuery } from '@tanstack/react-query';
import { ask, askAll } from '../../client/ask.ts';
import type { Use } from '../../client/operations.ts';
import { pictureAddress } from '../../components/charts/thumbnail.tsx';
import { DataGrid } from '../../components/lists/data-grid.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { EmptyState, Facts, GridSheet, Sheet, Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { PartNumber, Quantity, StateWord } from '../../components/words.tsx';
import { paths } from '../../navigation/paths.ts';
import { usePropertyDefinitions } from '../configuration.ts';
import styles from '../entities.module.css';
import { ORDERED_USES_MAX } from '../lists/open-levels.ts';
import { PropertyText } from '../property-fields.tsx';
import { lineTextOf } from '../uses/line-fields.tsx';
import { usesInOrder } from '../uses/use-order.ts';

export function RevisionSheet({ id, n }: { id: string; n: number }) {
  const revision = useQuery(ask('getRevision', { id, n }));
  const uses = useQuery(
    askAll('listRevisionUses', { id, n, query: { configuration: 'asReleased' } }, ORDERED_USES_MAX),
  );
  const definitions = usePropertyDefinitions();
  if (revision.isError)
    return <ProblemPanel error={revision.error} onRetry={() => void revision.refetch()} />;
  if (revision.data === undefined) return <Waiting />;
  const { revision: label, name, number, state, released, properties, picture } = revision.data;
  const known = new Map(definitions.map((one) => [one.key, one]));
  return (
    <>
      <Sheet title={`Revision ${label}`}>
        {picture !== null && (
          <img
            className={styles.keptPicture}
            src={pictureAddress(picture, '256')}
            alt={`${number ?? name}, revision ${label}`}
            loading="lazy"
          />
        )}
        <Facts
          facts={[
            ['Name', name],
            ['Number', number ?? '–'],
            ['State', <StateWord key="state" state={state} released={released} />],
            ...Object.entries(properties).map(([key, value]) => {
              const definition = known.get(key);
              return [
                definition?.name ?? key,
                <PropertyText key={key} definition={definition} value={value} />,
              ] as const;
            }),
          ]}
        />
      </Sheet>
      <GridSheet>
        <div className={styles.padded}>
          <h2 className={styles.gridTitle}>What revision {label} is made of</h2>
          <p className="muted">{saysOf(uses.data ?? [])}</p>
        </div>
        {uses.isError ? (
          <ProblemPanel error={uses.error} onRetry={() => void uses.refetch()} />
        ) : uses.data === undefined ? (
          <Waiting />
        ) : uses.data.length === 0 ? (
          <EmptyState title="It was made of nothing">No part was in it.</EmptyState>
        ) : (
          <>
            {uses.data.length >= ORDERED_USES_MAX && (
              <p className={styles.padded}>
                It was made of more parts than the {uses.data.length.toLocaleString('en')} that are shown.
              </p>
            )}
            <DataGrid
              label={`Uses of revision ${label}`}
              columns={columns}
              rows={usesInOrder(uses.data, { by: null, order: 'asc' })}
              rowKey={({ entityId, line }) => `${entityId} ${line ?? ''}`}
              hrefOf={({ entityId }) => paths.entity(entityId)}
              nameOf={(use) => `${use.number ?? ''} ${use.name}`}
              compact
              heightMax={480}
            />
          </>
        )}
      </GridSheet>
    </>
  );
}

/** Says which revisions of the parts are shown. */
function saysOf(uses: readonly Use[]): string {
  const unknown = uses.filter(({ revisionSource }) => revisionSource === 'unknown').length;
  if (unknown === 0) return 'The parts are shown as they were when this revision was released.';
  return unknown === uses.length
    ? 'The parts are shown as they are today: it is not known with which revisions of them this one was released.'
    : 'The parts are shown as they were when this revision was released; those without a revision as they are today.';
}

const columns: GridColumn<Use>[] = [
  {
    key: 'number',
    header: 'Number',
    width: 160,
    grow: 1,
    phone: 'title',
    cell: ({ number, picture }) => <PartNumber number={number} picture={picture} />,
  },
  { key: 'name', header: 'Name', width: 160, grow: 2, phone: 'detail', cell: ({ name }) => name },
  { key: 'findNumber', header: 'Find no.', width: 60, spare: 2, cell: ({ findNumber }) => findNumber },
  {
    key: 'quantity',
    header: 'Quantity',
    width: 76,
    align: 'end',
    phone: 'side',
    cell: ({ quantity, unit }) => (
      <>
        <Quantity value={quantity} />
        {unit !== null && <span className="muted"> {unit}</span>}
      </>
    ),
  },
  { key: 'line', header: 'Designators, note', width: 130, grow: 1, spare: 1, cell: lineTextOf },
  {
    key: 'revision',
    header: 'Rev.',
    width: 44,
    spare: 3,
    cell: ({ revision, revisionSource }) => (revisionSource === 'unknown' ? '–' : revision),
  },
];
