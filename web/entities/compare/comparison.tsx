/** What changed between two revisions of an entity: fields, properties and structure. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../client/ask.ts';
import type { RevisionComparison } from '../../client/operations.ts';
import { Thumbnail } from '../../components/charts/thumbnail.tsx';
import { EmptyState, Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { PartNumber, Quantity } from '../../components/words.tsx';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { usePropertyDefinitions } from '../configuration.ts';
import { useConfiguration } from '../configuration-select.tsx';
import styles from '../entities.module.css';
import { PropertyText } from '../property-fields.tsx';

export function Comparison({ id, from, to }: { id: string; from: number; to: number }) {
  const configuration = useConfiguration();
  const query = useQuery(ask('compareRevisions', { id, query: { from, to, configuration } }));
  const definitions = usePropertyDefinitions();
  if (query.isError) return <ProblemPanel error={query.error} />;
  if (query.data === undefined) return <Waiting />;
  const { fields, properties, structure } = query.data;
  const values = [
    ...fields.map(({ field, ...change }) => ({
      name: field,
      definition: undefined,
      isPicture: field === 'picture',
      ...change,
    })),
    ...properties.map(({ property, ...change }) => {
      const definition = definitions.find(({ key }) => key === property);
      return { name: definition?.name ?? property, definition, isPicture: false, ...change };
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
            {values.map(({ name, definition, isPicture, from: was, to: is }) => (
              <tr key={name}>
                <td>{name}</td>
                <td className={styles.from}>
                  {isPicture ? (
                    <ComparedPicture picture={was} />
                  ) : (
                    <PropertyText definition={definition} value={was} />
                  )}
                </td>
                <td className={styles.to}>
                  {isPicture ? (
                    <ComparedPicture picture={is} />
                  ) : (
                    <PropertyText definition={definition} value={is} />
                  )}
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
