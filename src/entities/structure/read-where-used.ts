/** The assemblies that an entity is built into as the API shows them, a portion at a time. */

import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import { releasedStates } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Slices } from '../../fairness/slices.ts';
import { countedText } from '../../quantity.ts';
import type { Archived } from '../entities.schema.ts';
import { selectReleasedAssemblies } from './configured-uses.sql.ts';
import type { PlannedAssembly } from './plan-where-used.ts';
import { type Read, readNamed } from './read-named.ts';
import { selectAssemblies } from './tree.sql.ts';

const PORTION_ITEMS = 1000;

const states = async (tx: Tx) => releasedStates(await loadConfiguration(tx));

/** Portions of items, each serialised. */
export async function* readWhereUsed(
  read: Read,
  assemblies: readonly PlannedAssembly[],
  { archived }: { archived: Archived },
  slices: Slices,
): AsyncGenerator<string[]> {
  // Of none there is a portion too, without a word to the database: the answer begins with it.
  if (assemblies.length === 0) yield [];
  for (let from = 0; from < assemblies.length; from += PORTION_ITEMS) {
    const portion = assemblies.slice(from, from + PORTION_ITEMS);
    const [currentOf, releasedOf] = [
      await readNamed(read, selectAssemblies, idsOf(portion, false)),
      await readNamed(read, selectReleasedAssemblies, idsOf(portion, true), states),
    ];
    const texts: string[] = [];
    for (const { id, level, extended, hasParents, isOfReleased } of portion) {
      if (slices.areDue) await slices.next();
      const { shown } = isOfReleased ? releasedOf(id) : currentOf(id);
      if (archived !== 'true' && shown.archived !== (archived === 'only')) continue;
      const item = { level, entityId: id, ...shown, hasParents };
      // It may have more digits than a double: it goes into the text as it is.
      texts.push(`${JSON.stringify(item).slice(0, -1)},"extendedQuantity":${countedText(extended)}}`);
    }
    yield texts;
  }
}

function idsOf(assemblies: readonly PlannedAssembly[], isOfReleased: boolean): string[] {
  return assemblies.flatMap((one) => (one.isOfReleased === isOfReleased ? [one.id] : []));
}
