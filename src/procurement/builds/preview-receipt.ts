/** Says what a receipt of a line would take, without moving anything. */

import type { ConsumeMode } from '../../configuration/categories/behaviour.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Micro } from '../../quantity.ts';
import type { UnitCost } from '../../stock/entries/movement.ts';
import { findLine } from '../records/find-procured.ts';
import { refuseCostOf } from '../records/given-costs.ts';
import { requireAct } from '../records/line-acts.ts';
import { refuseType } from '../records/refusals.ts';
import type { ComponentsPreview } from './builds.schema.ts';
import { selectConsume } from './builds.sql.ts';
import type { Build } from './components.ts';
import { listedItems } from './line-builds.ts';
import { locationsOf } from './move-components.ts';
import { readBuilds, readStock } from './open-builds.ts';
import { type BuildRequest, planConsumption } from './plan-build.ts';
import { showPreview } from './show-components.ts';
import { chooseSubstitutes, idsOf, nameSubstitutes } from './substitutes.ts';

export interface WantedReceipt {
  line: EntityRef;
  /** Good units; 0 for scrap alone. */
  amount: Micro;
  build: BuildRequest | undefined;
  unitCost?: UnitCost | undefined;
}

/** Throws what the receipt would be refused with, but for shortages, which are results. */
export async function previewReceipt(
  tx: Tx,
  { line: ref, amount, build, unitCost }: WantedReceipt,
): Promise<ComponentsPreview> {
  const line = await findLine(tx, ref);
  requireAct('receive', line, amount);
  const isBuilt = line.type === 'manufacturingOrder';
  if (build !== undefined && !isBuilt) throw refuseType(line, 'built from components');
  if (unitCost !== undefined && isBuilt) throw refuseCostOf(line.type);
  const [row] = await tx.query<{ consume: ConsumeMode | null }>(selectConsume, [tx.workspaceId, line.id]);
  const mode = isBuilt ? (build?.consume ?? row?.consume ?? null) : null;
  if (mode === null) return { taken: [], shortages: [] };
  const named = await nameSubstitutes(tx, build?.substitutes ?? []);
  const picking = { from: await locationsOf(tx, build?.from ?? null), beside: idsOf(named) };
  const opened = await readBuilds(tx, [line], picking);
  const listed = await listedItems(tx, opened, build?.listed ?? []);
  const output = { good: amount, scrap: build?.scrap.amount ?? 0n };
  const stock = await readStock(tx, opened);
  const given = { listed, substitutes: await chooseSubstitutes(tx, [...opened.builds.values()], named) };
  return showPreview(tx, planConsumption(opened.builds.get(line.id) as Build, stock, mode, output, given));
}
