/** Lots and serial numbers as calls name them (contract §4.10). */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { Day } from '../../http/day.ts';
import { unitName } from './given-quantity.ts';
import { lotStatuses } from './movement.ts';

const CONTROL = /\p{Cc}/u;
const text = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((value) => !CONTROL.test(value), { error: 'must have no control characters' });

/** Characters of the number of a lot. */
export const LOT_NUMBER_CHARS_MAX = 100;

export const LotNumber = text(LOT_NUMBER_CHARS_MAX).meta({
  description: 'Number of the lot, or the serial number.',
  examples: ['L-2026-11'],
});

const expiresOn = Day.nullish().meta({
  description: 'The last day on which it may be used.',
  examples: ['2027-05-31'],
});

const PROPERTIES_MAX = 50;

/** Facts of a lot beside its number. */
export const lotFacts = {
  expiresOn,
  supplierLot: text(100)
    .nullish()
    .meta({ description: "The supplier's number of the lot.", examples: ['S-77120'] }),
  properties: z
    .record(text(100), z.string().max(1000))
    .refine((given) => Object.keys(given).length <= PROPERTIES_MAX, {
      error: `must have at most ${PROPERTIES_MAX} properties`,
    })
    .optional()
    .meta({ description: 'Further facts, by name.', examples: [{ grade: 'A' }] }),
};

export const LotStatusGiven = z.enum(lotStatuses).meta({
  description:
    '`available`; `quarantine` or `rejected`: the lot is neither shipped nor issued, and its stock is not available.',
  examples: ['quarantine'],
});

/** Facts of a lot that may be new. */
const newFacts = { ...lotFacts, status: LotStatusGiven.optional() };

export const NewLot = z.strictObject(newFacts).meta({
  id: 'NewLot',
  description:
    'Creates the lot if the item has none of this number. A lot that exists must not have another expiry date, supplier lot or status.',
});

/** Fields of a call that moves one lot. */
export const movedLot = {
  lot: LotNumber.nullish().meta({
    description: 'The lot or serial number that moves; required for an item that is tracked.',
  }),
  newLot: NewLot.optional(),
};

export const LOT_SHARES_MAX = 10_000;

const share = {
  lot: LotNumber.optional(),
  serials: text(220)
    .optional()
    .meta({
      description:
        'Instead of `lot`: a serial number, or a range of them. The quantity is their number. A serial number with `..` in it is named by `lot`.',
      examples: ['SN-0101..0150'],
    }),
  quantity: z
    .number()
    .optional()
    .meta({ description: 'How much of the lot; by default 1.', examples: [4] }),
  unit: unitName.optional().meta({
    description: 'The unit of `quantity`: that of the call. By default the base unit.',
    examples: ['reel'],
  }),
};

/** Returns the fault of a share, or null. */
function faultOf(given: {
  lot?: string | undefined;
  serials?: string | undefined;
  quantity?: number | undefined;
  unit?: string | undefined;
}) {
  if ((given.lot === undefined) === (given.serials === undefined)) return 'name either `lot` or `serials`';
  const isMeasured = given.quantity !== undefined || given.unit !== undefined;
  return given.serials !== undefined && isMeasured ? '`serials` have no quantity' : null;
}

/** Lots that goods arrive in. */
export const ArrivingLots = z
  .array(
    z.strictObject({ ...share, ...newFacts }).refine((given) => faultOf(given) === null, {
      error: ({ input }) => faultOf(input as Parameters<typeof faultOf>[0]) ?? '',
    }),
  )
  .min(1)
  .max(LOT_SHARES_MAX)
  .optional()
  .meta({
    description:
      'The lots or serial numbers of the goods; required for an item that is tracked. Their quantities add up to the quantity. Lots that do not exist are created.',
  });

const shares = z
  .array(
    z.strictObject(share).refine((given) => faultOf(given) === null, {
      error: ({ input }) => faultOf(input as Parameters<typeof faultOf>[0]) ?? '',
    }),
  )
  .min(1)
  .max(LOT_SHARES_MAX);

/** Lots that exist. */
export const NamedLots = shares.optional().meta({
  description:
    'The lots or serial numbers; required for an item that is tracked. Their quantities add up to the quantity.',
});

/** Lots that a reservation holds. */
export const HeldLots = shares.optional().meta({
  description:
    'The lots or serial numbers that the reservation holds: nobody else can take them. Their quantities add up to the quantity. Without it the reservation holds no lot.',
});

/** Lots that goods are taken from. */
export const LeavingLots = z
  .union([z.literal('firstExpired'), shares])
  .optional()
  .meta({
    description:
      'The lots or serial numbers that are taken; required for an item that is tracked. Their quantities add up to the quantity. `firstExpired` takes those that expire first and have not expired.',
  });

/** Lots of the components of a build. */
export const ComponentLots = z
  .union([
    z.literal('firstExpired'),
    z
      .array(
        z.strictObject({ itemEntityId: EntityRef.meta({ description: 'A component.' }), lot: LotNumber }),
      )
      .min(1)
      .max(LOT_SHARES_MAX),
  ])
  .optional()
  .meta({
    description:
      'The lots or serial numbers of the components that are tracked: those that are taken, in this order, at the locations of the components. `firstExpired` takes those that expire first and have not expired.',
  });
export type ComponentLotsGiven = z.output<typeof ComponentLots>;
export type LotsGiven =
  | z.output<typeof LeavingLots>
  | z.output<typeof ArrivingLots>
  | z.output<typeof NamedLots>;
