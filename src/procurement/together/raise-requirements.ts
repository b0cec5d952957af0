/** Requirements that are raised by hand, those of callers of the same time in one transaction. */

import { formatNumber } from '../../configuration/allocate-numbers.ts';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { type NumberBlocks, NumbersWanted } from '../../configuration/number-blocks.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { isEntityId } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { recordCreated } from '../../events/record-entity-events.ts';
import { listeningSlug } from '../../events/record-events.ts';
import type { CallAnswer, CombinedCall, CombinedWork, Verdict } from '../../group-commit/combined-calls.ts';
import { decimalOf } from '../../quantity.ts';
import { findStockEntities, type StockEntity } from '../../stock/movements/find-stock-entities.ts';
import { selectClock } from '../../stock/movements/record-requests.sql.ts';
import { findProcurementCategory } from '../records/find-procurement-category.ts';
import { nameOfLine } from '../records/line.ts';
import { type Requirement, requirementOfRow } from '../records/requirement.ts';
import { type RaisedByHand, raiseRequirement } from '../requirements/raise-requirement.ts';
import { allowed } from './move-lines.ts';
import { insertEntities, insertRaised, type OwnerRow, selectRoles } from './together.sql.ts';

export interface RaiseCall extends CombinedCall {
  by: Mover;
  wanted: RaisedByHand;
  show(raised: Requirement): CallAnswer;
}

export function raisingRequirements(numbers: NumberBlocks): CombinedWork<RaiseCall> {
  return {
    what: 'requirements',
    together: (tx, calls, claimed) => raise(tx, numbers, calls, claimed),
    apart: async (tx, { by, wanted, show }) => show(await raiseRequirement(tx, by.actor, wanted)),
    amend: async (workspaceId, error) => {
      if (!(error instanceof NumbersWanted)) return false;
      await numbers.refill(workspaceId, error);
      return true;
    },
    lookAhead: (workspaceId) => numbers.lookAhead(workspaceId),
  };
}

interface Raising {
  call: RaiseCall;
  place: number;
  project: OwnerRow;
  item: StockEntity;
}

async function raise(
  tx: Tx,
  numbers: NumberBlocks,
  calls: readonly RaiseCall[],
  claimed: Promise<readonly (Verdict | null)[]>,
): Promise<Verdict[]> {
  const wanted = calls.map((call) => call.wanted);
  const projectIds = [...new Set(wanted.map(({ project }) => project).filter(isEntityId))];
  const [known, configuration, owners, found, [clock], slug] = await Promise.all([
    claimed,
    configurationForWriting(tx),
    tx.queryPrepared<OwnerRow>(selectRoles, [tx.workspaceId, projectIds]),
    findStockEntities(
      tx,
      wanted.map(({ item }) => item),
    ),
    tx.queryPrepared<{ now_us: string }>(selectClock),
    listeningSlug(tx, 'entityCreated'),
  ]);
  const category = allowed(() => findProcurementCategory(configuration, 'materialRequirement'));
  const projects = new Map(owners.map((owner) => [owner.id, owner]));
  const verdicts: Verdict[] = calls.map((_, index) => known[index] ?? 'apart');
  const raising = calls.flatMap((call, place): Raising[] => {
    const project = projects.get(call.wanted.project);
    const item = found.get(call.wanted.item);
    const isNew = (known[place] ?? null) === null;
    if (!isNew || project?.role !== 'project' || item?.isItem !== true) return [];
    return [{ call, place, project, item }];
  });
  if (category === null || raising.length === 0) return verdicts;
  const wantedNumbers = new Map([[category.key, raising.length]]);
  const first = numbers.take(tx.workspaceId, wantedNumbers).get(category.key) as number;
  const createdAt = new Date(Number(BigInt(clock?.now_us ?? 0) / 1000n)).toISOString();
  const state = category.lifecycle.initialState;
  const made = raising.map((one, index) => ({
    ...one,
    id: newId(),
    number: formatNumber(category.numbering.pattern, first + index),
  }));
  tx.withCommit(
    tx.queryPrepared(insertEntities, [
      tx.workspaceId,
      made.map(({ id }) => id),
      made.map(({ number }) => number),
      made.map(({ item, call }) => nameOfLine(call.wanted.amount, item.name)),
      made.map(() => category.key),
      made.map(() => state),
      made.map(({ call }) => call.by.actor.id),
      made.map(() => 1),
      createdAt,
    ]),
  );
  tx.withCommit(
    tx.queryPrepared(insertRaised, [
      tx.workspaceId,
      made.map(({ id }) => id),
      made.map(({ project }) => project.id),
      made.map(({ item }) => item.id),
      made.map(({ call }) => decimalOf(call.wanted.amount)),
      made.map(({ call }) => call.wanted.requiredBy),
      createdAt,
    ]),
  );
  if (slug !== null) {
    const entities = made.map(({ id, number }) => ({
      id,
      versionId: id,
      number,
      category: category.key,
    }));
    tx.withCommit(recordCreated(tx, slug, entities));
  }
  const nothing = decimalOf(0n);
  for (const { call, place, project, item, id, number } of made) {
    const raised = requirementOfRow({
      id,
      number,
      project_id: project.id,
      project_number: project.number,
      project_name: project.name,
      line_id: null,
      order_id: null,
      item_id: item.id,
      item_number: item.number,
      item_name: item.name,
      state,
      quantity: decimalOf(call.wanted.amount),
      required_by: call.wanted.requiredBy,
      created_at: createdAt,
      reserved: nothing,
      issued: nothing,
      ordered: nothing,
      received: nothing,
      converted: nothing,
    });
    verdicts[place] = call.show(raised);
  }
  return verdicts;
}
