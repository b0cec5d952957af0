/** Requires components again when their line is open again, because a receipt of it was taken back. */
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import { exactOfDecimal, type Micro, microOfDecimal, zero } from '../../quantity.ts';
import { lineRules } from '../../stock/entries/line-rules.ts';
import type { Line } from '../records/line.ts';
import { requirementOfRow } from '../records/requirement.ts';
import { type RequirementRow, selectRequirements } from '../records/requirements.sql.ts';
import { createRequirements, type NewRequirement } from '../requirements/raise-requirements.ts';
import {
  type BuiltRow,
  type ComponentRow,
  selectBuilt,
  selectCancelledAtEnd,
  selectComponentsOfLines,
} from './builds.sql.ts';
import { unitsInAll } from './components.ts';
import { COMPONENTS_MAX, neededFor } from './explode-item.ts';

/**
 * Creates a requirement for what is missing of each component that was cancelled with the end of the line: a requirement does not come
 * back from its end. The line is locked and open again.
 */
export async function requireAgain(tx: Tx, actor: Actor, line: Line): Promise<void> {
  const { workspaceId } = tx;
  const components = await tx.query<ComponentRow>(selectComponentsOfLines, [
    workspaceId,
    [line.id],
    COMPONENTS_MAX,
  ]);
  const ids = components.map(({ id }) => id);
  if (ids.length === 0) return;
  const { fulfilled } = lineRules[line.type];
  const [rows, [built], ended] = await Promise.all([
    tx.query<RequirementRow>(selectRequirements, [workspaceId, ids]),
    tx.query<BuiltRow>(selectBuilt, [workspaceId, [line.id]]),
    tx.query<{ id: string }>(selectCancelledAtEnd, [workspaceId, ids, line.id, fulfilled]),
  ]);
  const atEnd = new Set(ended.map(({ id }) => id));
  const units = unitsInAll({
    line,
    scrapped: microOfDecimal(built?.scrapped ?? '0.000000'),
    disassembled: microOfDecimal(built?.disassembled ?? '0.000000'),
  });
  const ofId = new Map(components.map((row) => [row.id, row]));
  const ofItem = Map.groupBy(rows.map(requirementOfRow), ({ itemId }) => itemId);
  const wanted = [...ofItem.values()].flatMap((all): NewRequirement[] => {
    const last = all.at(-1);
    if (last === undefined || !atEnd.has(last.id) || all.some(({ status }) => status !== 'cancelled'))
      return [];
    const row = ofId.get(last.id) as ComponentRow;
    const component =
      row.per_unit === null
        ? undefined
        : {
            perUnit: exactOfDecimal(row.per_unit),
            perOrder: row.per_order === null ? zero : exactOfDecimal(row.per_order),
            substitutes: row.substitutes ?? [],
          };
    const issued = all.reduce((sum: Micro, one) => sum + one.issued, 0n);
    const amount =
      component === undefined ? last.required - last.issued : neededFor(component, units) - issued;
    if (amount <= 0n) return [];
    const item = { id: last.itemId, number: last.itemNumber, name: last.itemName, picture: last.itemPicture };
    const { requiredBy } = line;
    return [
      {
        actor,
        project: null,
        line,
        item,
        amount,
        requiredBy,
        ...(component === undefined ? {} : { component }),
      },
    ];
  });
  await createRequirements(tx, wanted);
}
