/** Finds the reasons against merging an entity into another. */
import { categoryOf } from '../configuration/current/workspace-configuration.ts';
import type { Tx } from '../db/transaction.ts';
import { ALIASES_MAX, MERGED_CHILDREN_MAX, MERGED_MAX, type MergeReason } from './merge.schema.ts';
import { stockReasons } from './merge-stock.ts';
import { selectBelow } from './replace.sql.ts';
import { nameOf, type Plan } from './show-merge.ts';

/** Reasons that one merge names. */
const REASONS_MAX = 100;

type Planned = Omit<Plan, 'reasons'>;

export interface MergeProblems {
  /** The number of assemblies, or more than the bound. */
  parents: number;
  /** The reason why forecasts of both cannot become one list; null if they can. */
  forecasts: string | null;
}

export async function reasonsAgainst(
  tx: Tx,
  planned: Planned,
  problems: MergeProblems,
): Promise<MergeReason[]> {
  const { from, parents, stock, settings } = planned;
  const cycles = await cycleReasons(tx, planned);
  const quantities = parents.flatMap(({ problem }): MergeReason[] =>
    problem === null ? [] : [{ code: 'quantity', message: problem.message }],
  );
  const reasons = [
    ...kindReasons(planned),
    ...cycles,
    ...sizeReasons(planned, problems),
    ...(cycles.length > 0 ? [] : quantities),
    ...stockReasons(stock, nameOf(from), settings.from_tracking !== null),
  ];
  return reasons.slice(0, REASONS_MAX);
}

/** Returns how the two entities differ in what has to be the same. */
function kindReasons({ configuration, into, from, settings }: Planned): MergeReason[] {
  const reasons: MergeReason[] = [];
  const add = (code: MergeReason['code'], message: string) => reasons.push({ code, message });
  if (from.merged_into !== null) add('merged', `${nameOf(from)} was merged already.`);
  if (into.archived_at !== null) add('archived', `${nameOf(into)} is archived. Unarchive it first.`);
  const category = categoryOf(configuration, from.category);
  if (from.category !== into.category)
    add(
      'category',
      `${nameOf(from)} is of category "${from.category}", ${nameOf(into)} of "${into.category}".`,
    );
  else if (category.behaviour !== 'none' || (category.role !== 'item' && category.role !== 'none'))
    add(
      'category',
      `Entities of category "${category.key}" are not merged: only those that are items or have no role in stock.`,
    );
  if (settings.from_unit !== settings.into_unit)
    add(
      'baseUnit',
      `The base units differ: ${settings.from_unit ?? 'none'} and ${settings.into_unit ?? 'none'}. Make them the same first.`,
    );
  if (settings.from_tracking !== settings.into_tracking)
    add(
      'tracking',
      `Stock is tracked by ${settings.from_tracking ?? 'nothing'} and by ${settings.into_tracking ?? 'nothing'}. Make it the same first.`,
    );
  return reasons;
}

async function cycleReasons(tx: Tx, { into, from }: Planned): Promise<MergeReason[]> {
  const reasons: MergeReason[] = [];
  for (const [whole, part] of [
    [into, from],
    [from, into],
  ] as const)
    if (await isPartOf(tx, whole.id, part.id))
      reasons.push({ code: 'cycle', message: `${nameOf(part)} is part of ${nameOf(whole)}.` });
  return reasons;
}

async function isPartOf(tx: Tx, id: string, part: string): Promise<boolean> {
  return (await tx.query(selectBelow, [tx.workspaceId, id, [part]])).length > 0;
}

/** Returns which bounds the merge exceeds, and that a large import runs. */
function sizeReasons({ from, links, settings, forecasts }: Planned, problems: MergeProblems): MergeReason[] {
  const reasons: MergeReason[] = [];
  const add = (code: MergeReason['code'], message: string) => reasons.push({ code, message });
  const name = nameOf(from);
  if (settings.importing)
    add('imports', 'An import of several thousand elements is not finished. Merge when it is.');
  if (settings.aliases >= ALIASES_MAX)
    add('tooMuch', `The workspace has ${ALIASES_MAX} merged entities with a GUID, which is the limit.`);
  if (problems.parents > MERGED_MAX)
    add('tooMuch', `More than ${MERGED_MAX} assemblies use ${name}. Replace it in some of them first.`);
  if (links.pending > MERGED_MAX)
    add('tooMuch', `More than ${MERGED_MAX} links of ${name} wait for a parent.`);
  if (links.supplier_parts > MERGED_MAX)
    add('tooMuch', `${name} has more than ${MERGED_MAX} supplier parts.`);
  if (forecasts > MERGED_MAX)
    add('tooMuch', `${name} has more than ${MERGED_MAX} forecasts. Delete old ones first.`);
  else if (problems.forecasts !== null) add('forecasts', problems.forecasts);
  if (links.children > MERGED_CHILDREN_MAX)
    add('tooMuch', `${name} has more than ${MERGED_CHILDREN_MAX} children.`);
  return reasons;
}
