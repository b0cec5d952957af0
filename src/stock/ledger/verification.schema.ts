/** The answer of a verification of the ledger. */
import { z } from 'zod';

export const LedgerProblem = z.object({
  kind: z
    .enum([
      'altered',
      'missing',
      'reordered',
      'balance',
      'position',
      'total',
      'reversal',
      'transit',
      'lot',
      'value',
      'cut',
      'rewritten',
    ])
    .meta({
      description:
        '`altered`: the entry does not match its hash. `missing`: entries before it are gone. `reordered`: it is out of place or duplicated. `balance`: the balances after it are not those before it plus its changes. `position`: the position does not equal the sum of its entries. `total`: the stored total of a line or requirement at the position does not equal its entries; checked if all entries are valid. `reversal`: entries take back more than the entry that they name, or name an entry that is not of their position, type and lot. `lot`: the quantity of a lot at the position does not equal its entries, or the quantities of the lots do not add up. `value`: what the stock cost is not what the method makes of its layers. Against a digest: `cut`: covered entries are gone, the last ones or all; `rewritten`: the last covered entry was replaced, with a recomputed chain.',
    }),
  itemEntityId: z.uuid(),
  locationEntityId: z.uuid(),
  sequence: z
    .int()
    .nullable()
    .meta({ description: 'Number of the entry; null if the whole position is meant.' }),
  entryId: z.uuid().nullable(),
  message: z.string(),
});
export type LedgerProblem = z.output<typeof LedgerProblem>;

export const LedgerVerification = z
  .object({
    ok: z.boolean(),
    positions: z.int().meta({ description: 'Positions recomputed.' }),
    entries: z.int().meta({ description: 'Entries checked.' }),
    problems: z.array(LedgerProblem).meta({
      description:
        'The first problem of each position, in order of item and location; if there is none, those of lines, requirements, reversals and lots. The first 100.',
    }),
    problemCount: z.int().meta({
      description:
        'Positions with a problem; if there is none, lines, requirements, reversals and lots with one.',
    }),
  })
  .meta({ id: 'LedgerVerification' });
export type LedgerVerification = z.output<typeof LedgerVerification>;
