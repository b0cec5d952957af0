/** Where an entity is in its lifecycle, where it may go from there, and how it came there. */
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Lifecycle } from '../client/operations.ts';
import { actorColumn, momentColumn, textColumn } from '../components/lists/columns.tsx';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet, Sheet, Waiting } from '../components/page-frame.tsx';
import { useLifecycleOf } from './configuration.ts';
import styles from './entities.module.css';
import { TransitionDialog } from './transition-menu.tsx';
import { useEntity } from './use-entity.ts';
import { useMayChange } from './uses/use-may-change.ts';

const LifecyclePicture = lazy(async () => ({
  default: (await import('../components/charts/lifecycle-picture.tsx')).LifecyclePicture,
}));

export function LifecycleTab() {
  const { entity } = useEntity();
  const mayChange = useMayChange(entity.category);
  const lifecycle = useLifecycleOf(entity.category);
  const [way, setWay] = useState<Lifecycle['transitions'][number] | null>(null);
  const ways = (lifecycle?.transitions ?? []).filter(({ from }) => from === entity.state);
  return (
    <>
      <Sheet title={lifecycle === undefined ? 'Lifecycle' : `Lifecycle: ${lifecycle.name}`}>
        {lifecycle === undefined ? (
          <Waiting lines={4} />
        ) : (
          <Suspense fallback={<Waiting lines={4} />}>
            <LifecyclePicture lifecycle={lifecycle} current={entity.state} />
          </Suspense>
        )}
        <div className={styles.ways}>
          {ways.length === 0 ? (
            <p className="muted">From {entity.state} no way leads on.</p>
          ) : mayChange ? (
            ways.map((one) => (
              <Button key={one.id} variant="default" onClick={() => setWay(one)}>
                {one.name} → {one.to}
              </Button>
            ))
          ) : (
            <p>
              From {entity.state} it may go to {ways.map(({ to }) => to).join(', ')}.
            </p>
          )}
        </div>
      </Sheet>
      <GridSheet>
        <List
          label={`Transitions ${entity.number ?? ''}`}
          noun={['transition', 'transitions']}
          name="listTransitions"
          input={{ id: entity.id }}
          rowKey={({ id }) => id}
          heightMax={420}
          columns={[
            {
              key: 'way',
              header: 'From, to',
              width: 280,
              grow: 1,
              phone: 'title',
              cell: ({ fromState, toState }) => `${fromState} → ${toState}`,
              text: ({ fromState, toState }) => `${fromState} → ${toState}`,
            },
            textColumn('note', 'Why', { width: 200, grow: 1 }),
            textColumn('revision', 'Rev.', { width: 44 }),
            actorColumn('By', { width: 160, phone: 'detail' }),
            { ...momentColumn('recordedAt', 'When', { width: 130, phone: 'side' }), key: 'at' },
          ]}
          empty={<EmptyState title="It has not moved yet">It is where it began.</EmptyState>}
        />
      </GridSheet>
      {way !== null && <TransitionDialog entity={entity} way={way} onClose={() => setWay(null)} />}
    </>
  );
}
