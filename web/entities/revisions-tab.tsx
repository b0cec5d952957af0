/** The revisions of an entity, and what changed between two of them. */
import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ask, askPages, type ItemOf } from '../client/ask.ts';
import type { RevisionComparison } from '../client/operations.ts';
import { momentColumn, textColumn } from '../components/lists/columns.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { Thumbnail } from '../components/thumbnail.tsx';
import { PartNumber, Quantity } from '../components/words.tsx';
import { useAddress } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { usePropertyDefinitions } from './configuration.ts';
import { ConfigurationSelect, useConfiguration } from './configuration-select.tsx';
import styles from './entities.module.css';
import { stateColumn } from './entity-columns.tsx';
import { valueText } from './property-fields.tsx';
import { RevisionSheet } from './revision-sheet.tsx';
import { useEntity } from './use-entity.ts';

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

function Comparison({ id, from, to }: { id: string; from: number; to: number }) {
  const configuration = useConfiguration();
  const query = useQuery(ask('compareRevisions', { id, query: { from, to, configuration } }));
  const definitions = usePropertyDefinitions();
  if (query.isError) return <ProblemPanel error={query.error} />;
  if (query.data === undefined) return <Waiting />;
  const { fields, properties, structure } = query.data;
  const values = [
    ...fields.map(({ field, ...change }) => ({
      name: field,
      type: undefined,
      isPicture: field === 'picture',
      ...change,
    })),
    ...properties.map(({ property, ...change }) => {
      const definition = definitions.find(({ key }) => key === property);
      return { name: definition?.name ?? property, type: definition?.type, isPicture: false, ...change };
    }),
  ];
  const { added, removed, quantity, lines, revisions } = structure;
  const parts = added.length + removed.length + quantity.length + lines.length + revisions.length;
  if (values.length === 0 && parts === 0) return <EmptyState title="Nothing differs between these two" />;
  return (
    <>
      {values.length > 0 && (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th>Property</th>
              <th>Was</th>
              <th>Is</th>
            </tr>
          </thead>
          <tbody>
            {values.map(({ name, type, isPicture, from: was, to: is }) => (
              <tr key={name}>
                <td>{name}</td>
                <td className={styles.from}>
                  {isPicture ? <ComparedPicture picture={was} /> : valueText(was, type)}
                </td>
                <td className={styles.to}>
                  {isPicture ? <ComparedPicture picture={is} /> : valueText(is, type)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {parts > 0 && <StructureChanges structure={structure} />}
    </>
  );
}

function ComparedPicture({ picture }: { picture: unknown }) {
  return typeof picture === 'string' ? <Thumbnail picture={picture} large /> : 'none';
}

const lineWords = {
  quantity: 'Quantity',
  findNumber: 'Find number',
  referenceDesignators: 'Designators',
  unit: 'Unit',
  note: 'Note',
  substitutes: 'Substitutes',
  lossPercent: 'Loss in percent',
  lossFixed: 'Loss for each order',
  phantom: 'Phantom',
} as const;

function lineText(value: string | string[] | null): string {
  return value === null ? '–' : Array.isArray(value) ? value.join(', ') : value;
}

function StructureChanges({ structure }: { structure: RevisionComparison['structure'] }) {
  const rows = [
    ...structure.added.map((part) => ({ ...part, from: null, to: part.quantity })),
    ...structure.removed.map((part) => ({ ...part, from: part.quantity, to: null })),
    ...structure.quantity,
  ];
  return (
    <>
      {rows.length > 0 && (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th>Part</th>
              <th>Name</th>
              <th className="end">Old quantity</th>
              <th className="end">New quantity</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((part) => (
              <tr key={part.entityId}>
                <td>
                  <Link href={paths.entity(part.entityId)}>
                    <PartNumber number={part.number} />
                  </Link>
                </td>
                <td>{part.name}</td>
                <td className={`end ${styles.from}`}>
                  {part.from === null ? '–' : <Quantity value={part.from} />}
                </td>
                <td className={`end ${styles.to}`}>
                  {part.to === null ? 'taken out' : <Quantity value={part.to} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {structure.lines.length > 0 && (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th>Part</th>
              <th>Of its line</th>
              <th>Was</th>
              <th>Is</th>
            </tr>
          </thead>
          <tbody>
            {structure.lines.flatMap((part) =>
              part.changes.map(({ line, field, from, to }) => (
                <tr key={`${part.entityId} ${line} ${field}`}>
                  <td>
                    <Link href={paths.entity(part.entityId)}>
                      <PartNumber number={part.number} />
                    </Link>
                  </td>
                  <td>
                    {line !== undefined && <span className="muted">{line || '–'}: </span>}
                    {lineWords[field]}
                  </td>
                  <td className={styles.from}>{lineText(from)}</td>
                  <td className={styles.to}>{lineText(to)}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      )}
      {structure.revisions.length > 0 && (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th>Part</th>
              <th>Name</th>
              <th>Old revision</th>
              <th>New revision</th>
            </tr>
          </thead>
          <tbody>
            {structure.revisions.map(({ entityId, number, name, from, to }) => (
              <tr key={entityId}>
                <td>
                  <Link href={paths.entity(entityId)}>
                    <PartNumber number={number} />
                  </Link>
                </td>
                <td>{name}</td>
                <td className={styles.from}>{from ?? 'not known'}</td>
                <td className={styles.to}>{to ?? 'not known'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {structure.truncated && <p className="muted">The structure differs in more parts than are shown.</p>}
    </>
  );
}
