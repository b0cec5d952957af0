/** Records which revisions of its children an assembly is released with. */
import {
  categoryOf,
  releasedStates,
  type WorkspaceConfiguration,
} from '../configuration/current/workspace-configuration.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import type { EntityRow } from './entity.entity.ts';
import { pinChildren } from './transitions.sql.ts';

const NAMED_MAX = 20;

interface UnreleasedRow {
  id: string;
  number: string | null;
  name: string;
  state: string;
  count: number;
}

/** Says that an assembly was released with children that are not. */
export interface UnreleasedWarning {
  code: 'unreleased_children';
  message: string;
  /** How many there are. */
  count: number;
  /** The first of them. */
  children: { entityId: string; number: string | null; name: string; state: string }[];
}

/**
 * The row of the entity is locked, and it has been moved to a released state. A revision that was released before keeps what it was
 * released with. Returns a warning if children are not released. Throws `unreleased_children` if the category refuses that.
 */
export async function pinReleased(
  tx: Tx,
  entity: EntityRow,
  configuration: WorkspaceConfiguration,
): Promise<UnreleasedWarning | null> {
  const rows = await tx.query<UnreleasedRow>(pinChildren, [
    tx.workspaceId,
    entity.id,
    entity.revisionNumber,
    ...releasedStates(configuration),
    NAMED_MAX,
  ]);
  const count = rows[0]?.count ?? 0;
  if (count === 0) return null;
  const children = rows.map(({ id, number, name, state }) => ({ entityId: id, number, name, state }));
  const named = children.slice(0, 5).map(({ number, name, state }) => `${number ?? name} (${state})`);
  const rest = count > named.length ? ` and ${count - named.length} more` : '';
  const message = `${count === 1 ? 'A child is' : `${count} children are`} not released: ${named.join(', ')}${rest}.`;
  if (categoryOf(configuration, entity.category).unreleasedChildren === 'refuse') {
    throw new AppError('unreleased_children', {
      detail: `${message} Release them first.`,
      extensions: { count, children },
    });
  }
  return { code: 'unreleased_children', message, count, children };
}
