/** Finds out why an entity cannot be archived, or not be taken back, as it is now. */
import {
  categoryOf,
  releasedStates,
  type WorkspaceConfiguration,
} from '../configuration/current/workspace-configuration.ts';
import type { Tx } from '../db/transaction.ts';
import type { EntityRow } from '../entities/entity.entity.ts';
import type { ArchiveReason } from './archive.schema.ts';
import {
  COUNTED_MAX,
  countArchivedAround,
  countArchivedChildren,
  countLocationsIn,
  countMergedInto,
  countOpenLines,
  countOpenLinesAmongAll,
  countOpenRequirements,
  countOpenRequirementsAmongAll,
  countPendingParents,
  countUnreleasedParents,
  sumStock,
} from './archive.sql.ts';

/** Examples that a message names, and the characters of each. */
const NAMED_MAX = 3;
const NAME_CHARS_MAX = 60;

interface Counted {
  count: number;
  /** Whether there are more that were not counted. */
  is_cut: boolean;
  examples: ArchiveReason['examples'];
}

interface Stock {
  count: number;
  is_cut: boolean;
  on_hand: string;
  reserved: string;
  on_order: string;
}

interface Look {
  code: Exclude<ArchiveReason['code'], 'tooMuch'>;
  /** The singular and the plural of what counts, parted by a bar. */
  what: string;
  sql: string;
  more?: readonly unknown[];
  /** A way to the same count that looks at other rows, for when there are too many. */
  otherwise?: string;
  /** The plural of the kind of record. */
  looked?: string;
}

/**
 * Returns the reasons against archiving the entity; none if it can be archived. Where more rows than `lookedMax` would have to be looked
 * at while all writers wait, that is a reason too.
 */
export async function reasonsToKeep(
  tx: Tx,
  { id, category }: EntityRow,
  configuration: WorkspaceConfiguration,
  lookedMax: number,
): Promise<ArchiveReason[]> {
  const { role } = categoryOf(configuration, category);
  const isItem = role === 'item' || role === 'itemAndLocation';
  const isLocation = role === 'location' || role === 'itemAndLocation';
  const of = [tx.workspaceId, id, lookedMax];
  const ask = lookAt(tx, id, lookedMax);
  const stock = (what: string, side: 'item_id' | 'location_id') =>
    tx
      .query<Stock>(sumStock(side), of)
      .then(([found]) => stockReason(what, found) ?? cutReason(found, 'positions', lookedMax));
  const requirements = (side: 'item_id' | 'project_id') =>
    ask({
      code: 'openRequirements',
      what: 'open requirement|open requirements',
      sql: countOpenRequirements(side),
      otherwise: countOpenRequirementsAmongAll(side),
      looked: 'requirements',
    });
  const reasons = await Promise.all([
    isItem && stock('position with stock|positions with stock', 'item_id'),
    isLocation && stock('item in stock there|items in stock there', 'location_id'),
    isItem &&
      ask({
        code: 'openLines',
        what: 'open order line|open order lines',
        sql: countOpenLines,
        otherwise: countOpenLinesAmongAll('item_id'),
        looked: 'order lines',
      }),
    isLocation &&
      ask({
        code: 'openLines',
        what: 'open order line at it|open order lines at it',
        sql: countOpenLinesAmongAll('location_id'),
        looked: 'open order lines of the workspace',
      }),
    isItem && requirements('item_id'),
    role === 'project' && requirements('project_id'),
    ask({
      code: 'unreleasedParents',
      what: 'assembly that is not released uses it|assemblies that are not released use it',
      sql: countUnreleasedParents,
      more: releasedStates(configuration),
      looked: 'assemblies that use it',
    }),
    ask({
      code: 'pendingLinks',
      what: 'link waits for a parent|links wait for a parent',
      sql: countPendingParents,
    }),
    isLocation &&
      ask({
        code: 'locations',
        what: 'location lies in it|locations lie in it',
        sql: countLocationsIn,
        looked: 'locations that lie in it',
      }),
  ]);
  return reasons.filter((reason) => reason !== false && reason !== null);
}

/** Returns the reasons against taking the entity back; none if it can be. */
export async function reasonsToStayArchived(
  tx: Tx,
  { id, category, state }: EntityRow,
  configuration: WorkspaceConfiguration,
  lookedMax: number,
): Promise<ArchiveReason[]> {
  const isReleased = categoryOf(configuration, category).lifecycle.releasedStates.has(state);
  const ask = lookAt(tx, id, lookedMax);
  const reasons = await Promise.all([
    isReleased
      ? null
      : ask({
          code: 'archivedChildren',
          what: 'of its children is archived|of its children are archived',
          sql: countArchivedChildren,
          looked: 'children',
        }),
    ask({
      code: 'archivedLocation',
      what: 'location around it is archived|locations around it are archived',
      sql: countArchivedAround,
    }),
    ask({
      code: 'merged',
      what: 'entity stands for it since it was merged|entities stand for it since it was merged',
      sql: countMergedInto,
    }),
  ]);
  return reasons.filter((reason) => reason !== null);
}

/** Asks for one kind of reason. */
function lookAt(tx: Tx, id: string, lookedMax: number): (look: Look) => Promise<ArchiveReason | null> {
  return async ({ code, what, sql, more = [], otherwise, looked = '' }) => {
    for (const statement of otherwise === undefined ? [sql] : [sql, otherwise]) {
      const parameters =
        sql === countPendingParents ? [tx.workspaceId, id] : [tx.workspaceId, id, lookedMax, ...more];
      const [found] = await tx.query<Counted>(statement, parameters);
      const reason = reasonOf(code, what, found);
      if (reason !== null || found?.is_cut !== true) return reason;
    }
    return cutReason({ is_cut: true }, looked, lookedMax);
  };
}

function cutReason(
  found: Pick<Counted, 'is_cut'> | undefined,
  looked: string,
  lookedMax: number,
): ArchiveReason | null {
  if (found?.is_cut !== true) return null;
  const message = `more than ${lookedMax} ${looked} would have to be looked at, which is the limit (ARCHIVE_LOOKED_MAX)`;
  return { code: 'tooMuch', message, count: lookedMax + 1, examples: [] };
}

/** `what`: the singular and the plural, parted by a bar. */
function reasonOf(
  code: ArchiveReason['code'],
  what: string,
  found: Counted | undefined,
): ArchiveReason | null {
  if (found === undefined || found.count === 0) return null;
  const { count, examples } = found;
  return { code, message: `${counted(count, what)}${namesOf(found)}`, count, examples };
}

/** Names some of them: people read the message and not the list. */
function namesOf({ count, examples }: Counted): string {
  const names = examples
    .slice(0, NAMED_MAX)
    .map(({ number, name }) => (number ?? name).slice(0, NAME_CHARS_MAX));
  if (names.length === 0) return '';
  return ` (${names.join(', ')}${count > names.length ? ', …' : ''})`;
}

function stockReason(what: string, found: Stock | undefined): ArchiveReason | null {
  if (found === undefined || found.count === 0) return null;
  const { count } = found;
  const [onHand, reserved, onOrder] = [found.on_hand, found.reserved, found.on_order].map(Number) as [
    number,
    number,
    number,
  ];
  const figures = `${onHand} on hand, ${reserved} reserved, ${onOrder} on order`;
  const message = `${counted(count, what)}: ${figures}`;
  return { code: 'stock', message, count, examples: [], onHand, reserved, onOrder };
}

function counted(count: number, what: string): string {
  const [one, many = ''] = what.split('|');
  return count > COUNTED_MAX ? `more than ${COUNTED_MAX} ${many}` : `${count} ${count === 1 ? one : many}`;
}
