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
  countOpenLinesAt,
  countOpenRequirements,
  countPendingParents,
  countUnreleasedParents,
  sumStock,
} from './archive.sql.ts';

/** Examples that a message names, and the characters of each. */
const NAMED_MAX = 3;
const NAME_CHARS_MAX = 60;

interface Counted {
  count: number;
  examples: ArchiveReason['examples'];
}

interface Stock {
  count: number;
  on_hand: string;
  reserved: string;
  on_order: string;
}

/** Returns the reasons against archiving the entity; none if it can be archived. */
export async function reasonsToKeep(
  tx: Tx,
  { id, category }: EntityRow,
  configuration: WorkspaceConfiguration,
): Promise<ArchiveReason[]> {
  const { role } = categoryOf(configuration, category);
  const isItem = role === 'item' || role === 'itemAndLocation';
  const isLocation = role === 'location' || role === 'itemAndLocation';
  const ask = (code: ArchiveReason['code'], what: string, sql: string, more: readonly unknown[] = []) =>
    tx.query<Counted>(sql, [tx.workspaceId, id, ...more]).then(([found]) => reasonOf(code, what, found));
  const stock = (what: string, side: 'item_id' | 'location_id') =>
    tx.query<Stock>(sumStock(side), [tx.workspaceId, id]).then(([found]) => stockReason(what, found));
  const reasons = await Promise.all([
    isItem && stock('position with stock|positions with stock', 'item_id'),
    isLocation && stock('item in stock there|items in stock there', 'location_id'),
    isItem && ask('openLines', 'open order line|open order lines', countOpenLines),
    isLocation && ask('openLines', 'open order line at it|open order lines at it', countOpenLinesAt),
    isItem && ask('openRequirements', 'open requirement|open requirements', countOpenRequirements('item_id')),
    role === 'project' &&
      ask('openRequirements', 'open requirement|open requirements', countOpenRequirements('project_id')),
    ask(
      'unreleasedParents',
      'assembly that is not released uses it|assemblies that are not released use it',
      countUnreleasedParents,
      releasedStates(configuration),
    ),
    ask('pendingLinks', 'link waits for a parent|links wait for a parent', countPendingParents),
    isLocation && ask('locations', 'location lies in it|locations lie in it', countLocationsIn),
  ]);
  return reasons.filter((reason) => reason !== false && reason !== null);
}

/** Returns the reasons against taking the entity back; none if it can be. */
export async function reasonsToStayArchived(
  tx: Tx,
  { id, category, state }: EntityRow,
  configuration: WorkspaceConfiguration,
): Promise<ArchiveReason[]> {
  const isReleased = categoryOf(configuration, category).lifecycle.releasedStates.has(state);
  const ask = async (code: ArchiveReason['code'], what: string, sql: string) => {
    const [found] = await tx.query<Counted>(sql, [tx.workspaceId, id]);
    return reasonOf(code, what, found);
  };
  const reasons = await Promise.all([
    isReleased
      ? null
      : ask(
          'archivedChildren',
          'of its children is archived|of its children are archived',
          countArchivedChildren,
        ),
    ask(
      'archivedLocation',
      'location around it is archived|locations around it are archived',
      countArchivedAround,
    ),
    ask(
      'merged',
      'entity stands for it since it was merged|entities stand for it since it was merged',
      countMergedInto,
    ),
  ]);
  return reasons.filter((reason) => reason !== null);
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
