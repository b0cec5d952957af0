/** Labels on a sheet: number, name and a QR code of the entity's own address, which any phone's camera opens. */
import { Button, NativeSelect } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import encodeQr from 'qr';
import { ask } from '../client/ask.ts';
import type { Entity } from '../client/operations.ts';
import { pictureAddress } from '../components/charts/thumbnail.tsx';
import { Icon } from '../components/icons.tsx';
import { EmptyState, PageFrame, Sheet } from '../components/page-frame.tsx';
import { PartNumber } from '../components/words.tsx';
import { useCategories } from '../entities/configuration.ts';
import { EntityPicker } from '../entities/entity-picker.tsx';
import { itemWords } from '../entities/item-words.ts';
import { useAddress } from '../navigation/address.ts';
import { paths } from '../navigation/paths.ts';
import styles from './stock.module.css';

const LABELS_MAX = 200;
const sizes = [
  { value: '180', label: 'Small, 4 in a row' },
  { value: '240', label: 'Middle, 3 in a row' },
  { value: '360', label: 'Large, 2 in a row' },
];

export function LabelsPage() {
  const address = useAddress();
  const ids = (address.get('ids') ?? '').split(',').filter(Boolean).slice(0, LABELS_MAX);
  const copies = Math.min(50, Math.max(1, Number(address.get('copies') ?? 1) || 1));
  const size = address.get('size') ?? '240';
  const entities = useQueries({ queries: ids.map((id) => ask('getEntity', { id })) }).flatMap(
    ({ data }) => data ?? [],
  );
  const set = (next: readonly string[]) => address.set({ ids: [...new Set(next)].join(',') }, 'replace');
  return (
    <PageFrame
      title="Labels"
      above={{ label: 'Stock', href: paths.stock() }}
      actions={
        <Button
          leftSection={<Icon name="print" size={14} />}
          disabled={entities.length === 0}
          onClick={() => window.print()}
        >
          Print {entities.length === 0 ? '' : entities.length * copies}
        </Button>
      }
    >
      <div className="no-print">
        <Sheet>
          <div className={styles.countTools}>
            <EntityPicker
              label="Add an entity"
              value={null}
              onPick={(entity) => entity !== null && set([...ids, entity.id])}
            />
            <NativeSelect
              label="Copies of each"
              value={String(copies)}
              data={[1, 2, 3, 4, 5, 10, 20, 50].map(String)}
              onChange={(event) => address.set({ copies: event.currentTarget.value }, 'replace')}
            />
            <NativeSelect
              label="Size"
              value={size}
              data={sizes}
              onChange={(event) => address.set({ size: event.currentTarget.value }, 'replace')}
            />
          </div>
          {entities.length > 0 && (
            <ul className={styles.scanned}>
              {entities.map((entity) => (
                <li key={entity.id}>
                  <PartNumber number={entity.number} picture={entity.picture} /> {entity.name}{' '}
                  <Button
                    size="xs"
                    variant="subtle"
                    aria-label={`Remove ${entity.number ?? entity.name}`}
                    onClick={() => set(ids.filter((id) => id !== entity.id))}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </Sheet>
      </div>
      {entities.length === 0 ? (
        <EmptyState title="No labels yet">
          Add entities above, by number, by name or with a scanner.
        </EmptyState>
      ) : (
        <div className={styles.labels} style={{ '--label-width': `${size}px` } as React.CSSProperties}>
          {entities.flatMap((entity) =>
            Array.from({ length: copies }, (_, copy) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: copies of one label are all alike
              <Label key={`${entity.id} ${copy}`} entity={entity} side={Number(size) / 2.6} />
            )),
          )}
        </div>
      )}
    </PageFrame>
  );
}

function Label({ entity, side }: { entity: Entity; side: number }) {
  const categories = useCategories();
  return (
    <div className={styles.label}>
      <QrCode text={`${window.location.origin}${paths.entity(entity.id, 'stock')}`} side={side} />
      <div className={styles.labelWords}>
        <strong>{entity.number ?? '–'}</strong>
        <span>{entity.name}</span>
        <span>{itemWords(entity, categories)}</span>
      </div>
      {entity.picture !== null && (
        <img
          className={styles.labelPicture}
          src={pictureAddress(entity.picture, '256')}
          alt=""
          width={side / 2}
          height={side / 2}
        />
      )}
    </div>
  );
}

function QrCode({ text, side }: { text: string; side: number }) {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: 1 });
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      width={side}
      height={side}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      role="img"
      aria-label={text}
    >
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
