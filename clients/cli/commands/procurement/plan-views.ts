/** `partbook plan timeline` and `partbook plan compare`: an item of a planning run over time, and what two runs find differently. */
import type { Command } from 'commander';
import type { PlanningDifference, PlanningTimeline } from '../../../typescript/generated/types.ts';
import { listPages } from '../../../typescript/list-items.ts';
import { changesOfLines } from '../../../typescript/planning-words.ts';
import { plain, tableText } from '../../output.ts';
import { entityId, openSession } from '../../session.ts';
import { type LimitFlags, limited, listFirst } from '../../take-items.ts';
import { runMeant } from './plan-actions.ts';

type Peg = PlanningTimeline['actions'][number]['pegs'][number];

interface Coming {
  on: string;
  what: string;
  quantity: number;
  pegs: readonly Peg[];
  others: number;
}

export function addPlanViews(runs: Command): void {
  const timeline = runs
    .command('timeline <item> [run]')
    .description('show the projected stock of an item by day, and what everything that comes is for')
    .action(async (item: string, given: string | undefined) => {
      const session = openSession(timeline);
      const { id } = await runMeant(session, given);
      const itemEntityId = await entityId(session, item, { role: 'item' });
      const found = await session.partbook(
        'GET /planning/runs/{id}/items/{itemEntityId}',
        { id, itemEntityId },
        session,
      );
      session.output.answer(found, () => timelineText(found));
    });
  const compare = runs
    .command('compare <run> [with]')
    .description(
      'list the actions that only one of two planning runs has; the other is the newest if none is named',
    );
  limited(compare, 200).action(async (id: string, given: string | undefined, flags: LimitFlags) => {
    const session = openSession(compare);
    const { id: other } = await runMeant(session, given);
    await listFirst<PlanningDifference>(
      session.output,
      listPages(
        session.partbook,
        'GET /planning/runs/{id}/compare',
        { id, query: { with: other } },
        { signal: session.signal },
      ),
      flags,
      {
        change: (one) => one.change,
        action: ({ action: { action } }) => (action === 'none' ? null : action),
        item: ({ action: { itemNumber, itemName } }) => itemNumber ?? itemName,
        quantity: (one) => one.action.quantity,
        start: (one) => one.action.startsOn,
        needed: (one) => one.action.neededOn,
        'supplier, line': ({ action: { lineNumber, supplier } }) => lineNumber ?? supplier,
        exceptions: ({ action: { exceptions } }) => (exceptions.length === 0 ? null : exceptions.join(', ')),
      },
      'Both runs have the same actions.',
    );
  });
}

function timelineText(found: PlanningTimeline): string {
  const { itemNumber, itemName, stock, minimum, days, supplies, isCurrent } = found;
  const { changes, others } = changesOfLines(found);
  const coming: Coming[] = [
    ...supplies.map((one) => ({
      ...one,
      on: one.comesOn,
      what: [one.lineNumber ?? 'line', ...(changes.get(one) ?? []).map(changeText)].join(', '),
    })),
    ...others.map(({ action, lineNumber, neededOn, ...one }) => ({
      ...one,
      on: neededOn,
      what: lineNumber === null ? action : `${action} ${lineNumber}`,
    })),
  ];
  return [
    `${plain(itemNumber ?? itemName)}: ${stock} available${minimum > 0 ? `, ${minimum} of it to be left` : ''}`,
    ...(isCurrent === false
      ? ['Stock, orders or needs have changed since the plan: this shows what is there now. Plan again.']
      : []),
    ...(isCurrent === null
      ? [
          'The item is used in very many others: its needs as a component are those of the orders of the plan.',
        ]
      : []),
    tableText(days, {
      on: (one) => one.on,
      needed: (one) => one.needed,
      comes: (one) => one.comes,
      planned: (one) => one.planned,
      projected: (one) => one.projected,
      'with plan': (one) => one.projectedWithPlan,
    }),
    ...(coming.length === 0
      ? []
      : [
          tableText<Coming>(coming, {
            comes: (one) => one.on,
            what: (one) => one.what,
            quantity: (one) => one.quantity,
            for: pegText,
          }),
        ]),
    ...(found.isTruncated ? ['The plan has more of this item than is shown.'] : []),
  ].join('\n');
}

/** Such as `defer 3 to 2027-01-07`, or `decrease to 4`. */
function changeText({ action, quantity, neededOn }: PlanningTimeline['actions'][number]): string {
  if (action === 'increase' || action === 'decrease') return `${action} to ${quantity}`;
  return action === 'cancel' ? action : `${action} ${quantity} to ${neededOn}`;
}

/** Pegs that a row names. */
const PEGS_SHOWN = 3;

function pegText({ pegs, others }: Coming): string | null {
  const named = pegs
    .slice(0, PEGS_SHOWN)
    .map(({ quantity, kind, number }) => `${quantity} for ${number ?? kind}`);
  if (pegs.length > PEGS_SHOWN || others > 0) named.push('…');
  return named.length === 0 ? null : named.join(', ');
}
