/** Reads the configuration of a workspace and resolves it, once for each change of it. */
import type { Tx } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import type { Category } from '../categories/category.schema.ts';
import type { Lifecycle } from '../lifecycles/lifecycle.schema.ts';
import { plainStockSettings, type StockSettings } from '../stock-settings/stock-settings.ts';
import { cacheOf } from './configuration-cache.ts';
import { hasMarked } from './mark-properties-used.ts';
import { selectConfiguration, selectConfigurationVersion } from './read-configuration.sql.ts';
import type {
  CategoryConfiguration,
  LifecycleConfiguration,
  PropertyConfiguration,
  WorkspaceConfiguration,
} from './workspace-configuration.ts';

interface Row {
  kind: 'alias' | 'category' | 'lifecycle' | 'property' | 'stock' | 'version';
  key: string;
  /** JSON, the version, or the GUID that an alias stands for. */
  body: string;
}

/**
 * Returns the configuration as it is now; it is parsed only if it has changed since this process parsed it last. A transaction that
 * writes entities by it calls `configurationForWriting`; otherwise what it read may be gone when it commits.
 */
export async function loadConfiguration(tx: Tx): Promise<WorkspaceConfiguration> {
  return (await findKnown(tx)) ?? readConfiguration(tx);
}

/** Returns the known configuration of the workspace's version; null if it must be read. */
export async function findKnown(tx: Tx): Promise<WorkspaceConfiguration | null> {
  const { workspaceId } = tx;
  const [row] = await tx.queryPrepared<{ version: string }>(selectConfigurationVersion, [workspaceId]);
  return row === undefined ? null : cacheOf(tx.db).find(workspaceId, row.version);
}

/** Reads it and keeps what it has parsed. */
export async function readConfiguration(tx: Tx): Promise<WorkspaceConfiguration> {
  const { workspaceId } = tx;
  const rows = await tx.query<Row>(selectConfiguration, [workspaceId]);
  const slices = new Slices(tx.gone);
  const lifecycles = new Map<string, LifecycleConfiguration>();
  const properties = new Map<string, PropertyConfiguration>();
  const categories: Category[] = [];
  const aliases = new Map<string, string>();
  let stock: StockSettings = plainStockSettings;
  let version: string | null = null;
  let bytes = 0;
  for (const { kind, key, body } of rows) {
    if (slices.areDue) await slices.next();
    bytes += key.length + body.length;
    if (kind === 'version') version = body;
    else if (kind === 'alias') aliases.set(key, body);
    else if (kind === 'stock') stock = JSON.parse(body);
    else if (kind === 'category') categories.push(JSON.parse(body));
    else if (kind === 'lifecycle') {
      const lifecycle = resolveLifecycle(JSON.parse(body));
      lifecycles.set(lifecycle.key, lifecycle);
    } else {
      const property: PropertyConfiguration = JSON.parse(body);
      properties.set(property.key, property);
    }
  }
  const configuration: WorkspaceConfiguration = {
    lifecycles,
    properties,
    stock,
    aliases,
    categories: byKey(categories.map((category) => resolveCategory(category, lifecycles))),
  };
  // Marks of its own are not of the version: a rollback would undo them, and the next one would not set them.
  if (version !== null && !hasMarked(tx)) cacheOf(tx.db).keep(workspaceId, { version, bytes, configuration });
  return configuration;
}

function resolveLifecycle(lifecycle: Lifecycle): LifecycleConfiguration {
  const released = lifecycle.states.filter((state) => state.released);
  return { ...lifecycle, releasedStates: new Set(released.map((state) => state.name)) };
}

function resolveCategory(
  category: Category,
  lifecycles: ReadonlyMap<string, LifecycleConfiguration>,
): CategoryConfiguration {
  const { key, name, numbering, role, behaviour, hiddenFromNew, consume, unreleasedChildren, properties } =
    category;
  const lifecycle = lifecycles.get(category.lifecycle);
  // A lifecycle that a category names cannot be deleted, so this is damage, not a race.
  if (lifecycle === undefined) throw new Error(`Category "${key}" names a lifecycle that does not exist`);
  return {
    key,
    name,
    numbering,
    role,
    behaviour,
    hiddenFromNew,
    consume,
    unreleasedChildren,
    properties,
    lifecycle,
  };
}

function byKey<T extends { readonly key: string }>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [row.key, row]));
}
