/** `partbook requirements change`: how much is required, and by when. */
import type { Command } from 'commander';
import { readDecimal } from '../../../readers/read-decimal.ts';
import { UsageError } from '../../exit-codes.ts';
import { shown } from '../../output.ts';
import { readDay } from '../../read-time.ts';
import { openSession, requirementId } from '../../session.ts';

interface ChangeFlags {
  quantity?: string;
  requiredBy?: string;
  note?: string;
}

export function addRequirementChange(requirements: Command): void {
  const change = requirements
    .command('change <requirement>')
    .description('change the quantity (not below what is reserved or ordered) or the date of a requirement')
    .option('--quantity <quantity>', 'how much is required in all')
    .option('--required-by <day>', 'the day by which it is required', readDay)
    .option('--note <text>', 'why, for the audit trail')
    .action(async (reference: string, { quantity, requiredBy, note }: ChangeFlags) => {
      if (quantity === undefined && requiredBy === undefined)
        throw new UsageError('Name a quantity (--quantity), a day (--required-by), or both.');
      const session = openSession(change);
      const amount = quantity === undefined ? null : readDecimal(quantity, '.');
      if (quantity !== undefined && (amount === null || amount.unit !== ''))
        throw new UsageError(`"${quantity}" is not a quantity.`);
      const body = {
        ...(amount === null ? {} : { requiredQty: amount.value }),
        ...(requiredBy === undefined ? {} : { requiredBy }),
        ...(note === undefined ? {} : { note }),
      };
      const id = await requirementId(session, reference);
      const changed = await session.partbook('PATCH /requirements/{id}', { id, body }, session);
      session.output.answer(changed, () => {
        const { number, itemNumber, itemName, requiredQty, openQty, status } = changed;
        return `${shown(number ?? reference)}: ${requiredQty} of ${shown(itemNumber ?? itemName)} required, ${openQty} open; ${status}`;
      });
    });
}
