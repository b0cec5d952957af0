/** Two to eight items side by side: what differs is marked, and what is the same can be left out. */
import { Button, Checkbox } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../client/ask.ts';
import type { Entity, EntitySummary, PropertyDefinition } from '../../client/operations.ts';
import { Thumbnail } from '../../components/charts/thumbnail.tsx';
import { EmptyState, PageFrame, Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { countText, quantityText } from '../../components/words.tsx';
import { useAddress } from '../../navigation/address.ts';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { useCategories, usePropertyDefinitions } from '../configuration.ts';
import { EntityPicker } from '../entity-picker.tsx';
import { PropertyText, valueText } from '../property-fields.tsx';
import { labelOf } from '../property-label.ts';
import styles from './compare.module.css';

/** More are no longer seen at one look. */
const COMPARED_MAX = 8;

const NO_VALUE = valueText(undefined);

interface Row {
  label: string;
  values: readonly string[];
  /** Whether the values are ids of entities, which are shown with number and name. */
  refers?: boolean;
}

export function ComparePage() {
  const address = useAddress();
  const named = [...new Set((address.get('ids') ?? '').split(',').filter((id) => id !== ''))];
  const ids = named.slice(0, COMPARED_MAX);
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const definitions = usePropertyDefinitions();
  const categories = useCategories();
  const entities = useQueries({ queries: ids.map((id) => ask('getEntity', { id })) });
  const summaries = useQueries({ queries: ids.map((id) => ask('getEntitySummary', { id })) });
  const failed = entities.find(({ isError }) => isError);
  const found = entities.flatMap(({ data }) => data ?? []);
  const show = (next: readonly string[]) => address.set({ ids: next.join(',') });
  const rows =
    found.length < ids.length
      ? []
      : rowsOf(
          found,
          summaries.map(({ data }) => data),
          {
            definitions,
            nameOf: (key) => categories.find((one) => one.key === key)?.name ?? key,
          },
        );
  const different = rows.filter(differs);
  return (
    <PageFrame
      title="Compare items"
      above={{ label: 'Items', href: paths.entities() }}
      lead={
        rows.length > 0 && found.length > 1 ? (
          <span role="status">
            {countText(different.length, 'difference')}
            {named.length > ids.length && `, of the first ${COMPARED_MAX} items`}
          </span>
        ) : undefined
      }
    >
      {failed !== undefined ? (
        <ProblemPanel error={failed.error} onRetry={() => void failed.refetch()} />
      ) : ids.length === 0 ? (
        <EmptyState title="Nothing to compare yet">
          Choose items below, or select some in the list of items.
        </EmptyState>
      ) : found.length < ids.length ? (
        <Waiting />
      ) : (
        <>
          {found.length > 1 && (
            <Checkbox
              label="Only what differs"
              checked={onlyDifferent}
              onChange={(event) => setOnlyDifferent(event.currentTarget.checked)}
            />
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it sideways */}
          <section className={styles.scroll} tabIndex={0} aria-label="Comparison">
            <table className={styles.compared}>
              <thead>
                <tr>
                  <td />
                  {found.map((entity) => (
                    <th key={entity.id} scope="col">
                      <Head entity={entity} onRemove={() => show(ids.filter((id) => id !== entity.id))} />
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {(onlyDifferent ? different : rows).map((row) => (
                  <tr key={row.label} data-differs={differs(row) || undefined}>
                    <th scope="row">
                      {row.label}
                      {differs(row) && <span className="visually-hidden">, differs</span>}
                    </th>
                    {row.values.map((value, at) => (
                      <td key={found[at]?.id}>
                        {row.refers === true && value !== NO_VALUE ? (
                          <PropertyText definition={{ type: 'reference' }} value={value} />
                        ) : (
                          value
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
      {ids.length < COMPARED_MAX && (
        <div className={styles.add}>
          <EntityPicker
            key={ids.join(',')}
            label="Add an item"
            value={null}
            onPick={(entity) => entity !== null && show([...ids, entity.id])}
          />
        </div>
      )}
    </PageFrame>
  );
}

function Head({ entity, onRemove }: { entity: Entity; onRemove: () => void }) {
  const { id, number, name, picture } = entity;
  return (
    <div className={styles.head}>
      {picture !== null && <Thumbnail picture={picture} large />}
      <Link href={paths.entity(id)} className="mono">
        {number ?? name}
      </Link>
      <Button size="xs" variant="subtle" aria-label={`Remove ${number ?? name}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}

const differs = ({ values }: Row) => new Set(values).size > 1;

/** Fields and figures, then each property that one of them has. */
function rowsOf(
  entities: readonly Entity[],
  summaries: readonly (EntitySummary | undefined)[],
  words: { definitions: readonly PropertyDefinition[]; nameOf: (category: string) => string },
): Row[] {
  const row = (label: string, of: (entity: Entity, summary: EntitySummary | undefined) => string): Row => ({
    label,
    values: entities.map((one, at) => of(one, summaries[at])),
  });
  const figure = (value: number | undefined) => (value === undefined ? '–' : quantityText(value));
  return [
    row('Name', ({ name }) => name),
    row('Category', ({ category }) => words.nameOf(category)),
    row('State', ({ state }) => state),
    row('Revision', ({ revision }) => revision),
    row('BOM lines', (_, summary) => figure(summary?.uses)),
    row('Used in assemblies', (_, summary) => figure(summary?.usedIn)),
    row('On hand', (_, summary) => figure(summary?.stock?.onHand)),
    row('Available', (_, summary) => figure(summary?.stock?.available)),
    row('On order', (_, summary) => figure(summary?.orders?.comingQty)),
    ...words.definitions
      .filter(({ key }) => entities.some(({ properties }) => Object.hasOwn(properties, key)))
      .map((definition) => ({
        ...row(labelOf(definition), ({ properties }) =>
          valueText(
            Object.hasOwn(properties, definition.key) ? properties[definition.key] : undefined,
            definition.type,
          ),
        ),
        refers: definition.type === 'reference',
      })),
  ];
}
