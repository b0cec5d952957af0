/** `partbook rollup`: a numeric property added up over a structure, such as the mass of an assembly. */
import type { Command } from 'commander';
import type { Rollup } from '../../../typescript/generated/types.ts';
import { countOf } from '../../count-of.ts';
import { shown, tableText } from '../../output.ts';
import { entityId, openSession } from '../../session.ts';
import { revisionNumber } from './cost.ts';

interface RollupFlags {
  quantity?: string;
  revision?: string;
}

export function addRollup(program: Command): void {
  const rollup = program
    .command('rollup <item> <property>')
    .description('add up a numeric property of everything that an item contains, such as its mass')
    .option('--quantity <number>', 'the quantity to make (default: 1)')
    .option(
      '--revision <revision>',
      'the structure of this revision: its number or its label (default: the present one)',
    )
    .action(async (item: string, property: string, { quantity, revision }: RollupFlags) => {
      const session = openSession(rollup);
      const id = await entityId(session, item, { role: 'item' });
      const query = {
        property,
        ...(quantity === undefined ? {} : { quantity: Number(quantity) }),
        ...(revision === undefined ? {} : { revision: await revisionNumber(session, id, revision) }),
      };
      const found = await session.partbook('GET /entities/{id}/rollup', { id, query }, session);
      session.output.answer(found, () => rollupText(found));
    });
}

type Row = Rollup['unknown'][number] & Partial<Rollup['items'][number]>;

function rollupText(found: Rollup): string {
  const { items, unknown, itemCount, unknownCount, total, stated, quantity, perUnit } = found;
  const unit = found.unit === null ? '' : ` ${shown(found.unit)}`;
  // The name of a property often ends with its unit.
  const name = shown(found.propertyName).replace(found.unit === null ? '' : ` (${shown(found.unit)})`, '');
  const rows: Row[] = [...items, ...unknown];
  const lines = [
    tableText<Row>(rows, {
      item: (one) => shown(one.itemNumber ?? one.itemName),
      quantity: (one) => one.quantity,
      'for one': (one) => one.value ?? 'unknown',
      sum: (one) => one.amount ?? null,
    }),
    total === null
      ? `${name}: unknown`
      : `${name}: ${total}${unit}${quantity === 1 ? '' : `, ${perUnit}${unit} for one`}`,
  ];
  if (unknownCount > 0) lines.push(`without a value, and in no sum: ${countOf(unknownCount, 'item')}`);
  if (stated !== null) lines.push(`stated for the item itself: ${stated}${unit}`);
  const left = itemCount + unknownCount - rows.length;
  if (left > 0) lines.push(`not shown: ${countOf(left, 'item')}`);
  return lines.join('\n');
}
