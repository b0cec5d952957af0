/** Components of manufacturing lines and the calls that build from them (contract §4.8). */
import { z } from 'zod';
import { consumeModes } from '../../configuration/categories/behaviour.ts';
import { EntityPicture, RevisionLabel } from '../../entities/entities.schema.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { costOfReceived } from '../../stock/entries/given-cost.schema.ts';
import { baseUnitShown, givenUnit, unitNeeds } from '../../stock/entries/given-quantity.ts';
import { ArrivingLots, ComponentLots, NamedLots } from '../../stock/entries/lot.schema.ts';
import { givenDay } from '../../stock/entries/stock.schema.ts';
import { entries, LineMoved, StockLine } from '../records/lines.schema.ts';
import {
  amount,
  givenNote,
  givenQuantity,
  idOf,
  idOrNull,
  numberText,
} from '../records/schemas/text.schema.ts';
import { dryRun, from, substitutes } from './component-calls.schema.ts';

const name = (what: string) => z.string().meta({ description: what, examples: ['Hex bolt M8'] });

const QuantityAt = z.object({
  locationEntityId: idOf('The location.'),
  locationNumber: numberText("The location's number.", 'LOC-0003'),
  locationName: name("The location's name."),
  quantity: amount('Quantity there.', 4),
});

const ReservedAt = QuantityAt.extend({
  substitute: z
    .object({
      itemEntityId: idOf('The substitute.'),
      itemNumber: numberText("The substitute's number.", 'PRT-000043'),
      itemName: name("The substitute's name."),
      covers: amount('How much of the component the quantity covers.', 2),
    })
    .nullable()
    .describe('The substitute that is reserved; null for the component itself.'),
});

const Substituting = z.object({
  itemEntityId: idOrNull('The item; null if no item has the GUID yet.'),
  guid: z
    .string()
    .describe('GUID of the item.')
    .meta({ examples: ['0f8fad5b-d9cb-469f-a165-70867728950e'] }),
  itemNumber: numberText("The item's number.", 'PRT-000043'),
  itemName: z
    .string()
    .nullable()
    .describe("The item's name.")
    .meta({ examples: ['Hex bolt M8, zinc'] }),
  rank: z
    .int()
    .describe('The lowest comes first.')
    .meta({ examples: [1] }),
  ratio: amount('Quantity that replaces one of the component.', 1),
  availableQty: amount('Available at all locations. It is not part of the figures of the component.', 20),
});

export const LineComponent = z
  .object({
    itemEntityId: idOf('The component.'),
    itemNumber: numberText("The component's present number.", 'PRT-000042'),
    itemName: name("The component's present name."),
    itemPicture: EntityPicture,
    itemRevision: RevisionLabel.describe('Label of the current revision of the component.'),
    unit: baseUnitShown,
    requirementId: idOrNull(
      'Its material requirement; null while nothing requires it, as in a draft. It is required with the first call that takes it.',
    ),
    requiredQty: amount('Quantity for the whole line, with losses.', 40),
    perUnitQty: z
      .number()
      .nullable()
      .describe(
        'Quantity for one unit of output, with the loss in percent; null for lines that an earlier version ordered.',
      )
      .meta({ examples: [4] }),
    issuedQty: amount('Issued and not taken back, with what issued substitutes cover.', 16),
    heldQty: amount('Reserved for it and not issued, with what reserved substitutes cover.', 4),
    orderedQty: amount('On order for it.', 0),
    missingQty: amount('requiredQty − issuedQty − heldQty, if that is above 0.', 20),
    availableQty: amount('Available to everybody, at the locations that the call can take from.', 8),
    buildableQty: amount('Further units of output for which what is held and available is enough.', 3),
    reservedAt: z
      .array(ReservedAt)
      .describe('Where it is held, the most first, then reserved substitutes; at most 20 locations.'),
    availableAt: z
      .array(QuantityAt)
      .describe('Where it is available, in the order in which it is taken; at most 20 locations.'),
    substitutes: z.array(Substituting).describe('Items that may be used instead, by rank.'),
  })
  .describe('A component of a manufacturing line.')
  .meta({ id: 'LineComponent' });
export type LineComponent = z.output<typeof LineComponent>;

export const LineComponents = z
  .object({
    lineId: idOf('The line.'),
    lineNumber: numberText("The line's number.", 'MOL-000001'),
    itemEntityId: idOf('What is built.'),
    itemNumber: numberText('Its number.', 'ASM-000007'),
    itemName: name('Its name.'),
    itemPicture: EntityPicture,
    unit: baseUnitShown,
    itemRevision: z
      .int()
      .nullable()
      .describe('Number of the revision that is built; null for the present one, until the line is ordered.')
      .meta({ examples: [1] }),
    itemRevisionLabel: z
      .string()
      .nullable()
      .describe('Label of that revision.')
      .meta({ examples: ['A'] }),
    state: z
      .string()
      .describe('State of the line.')
      .meta({ examples: ['Ordered'] }),
    consume: z
      .enum(consumeModes)
      .nullable()
      .describe("How receipts take components if the call does not say, from the line's category.")
      .meta({ examples: ['proportional'] }),
    quantity: amount('Units that are wanted.', 10),
    receivedQty: amount('Units that were received.', 4),
    scrappedQty: amount('Units that were made and failed.', 0),
    disassembledQty: amount('Received units that were taken apart again.', 0),
    openQty: amount('Units still to be received.', 6),
    buildableQty: amount('Units that can be built now, at most those that are open.', 3),
    limitedBy: z
      .object({
        itemEntityId: idOf('The component.'),
        itemNumber: numberText("The component's number.", 'PRT-000042'),
        itemName: name("The component's name."),
      })
      .nullable()
      .describe('The component that is enough for the fewest units; null if all open units can be built.'),
    components: z.array(LineComponent).describe('In the order of their ids, at most 10 000.'),
  })
  .describe('What a manufacturing line is built from.')
  .meta({ id: 'LineComponents' });
export type LineComponents = z.output<typeof LineComponents>;

const TakenComponent = z.object({
  itemEntityId: idOf('The item that is taken: the component, or a substitute of it.'),
  itemNumber: numberText('Its number.', 'PRT-000042'),
  itemName: name('Its name.'),
  requirementId: idOrNull(
    'Its material requirement; null in a preview of a line that does not require it yet.',
  ),
  locationEntityId: idOf('Where it is taken.'),
  locationNumber: numberText("The location's number.", 'LOC-0003'),
  locationName: name("The location's name."),
  quantity: amount('How much.', 4),
  insteadOf: z
    .object({
      itemEntityId: idOf('The component.'),
      itemNumber: numberText("The component's number.", 'PRT-000042'),
      itemName: name("The component's name."),
      quantity: amount('How much of the component it covers.', 2),
    })
    .nullable()
    .describe('The component that it was taken in place of, if it is a substitute.'),
  wasReserved: z
    .boolean()
    .describe('Whether it had been reserved for the component.')
    .meta({ examples: [false] }),
});

const Short = z.object({
  itemEntityId: idOf('The component, or the substitute that the call names.'),
  itemNumber: numberText('Its number.', 'PRT-000042'),
  itemName: name('Its name.'),
  requirementId: idOrNull('Its material requirement.'),
  neededQty: amount('Needed now.', 40),
  foundQty: amount('Found of it.', 25),
  shortQty: amount('neededQty − foundQty.', 15),
});

export const ComponentsPreview = z
  .object({
    taken: z.array(TakenComponent).describe('What would be taken.'),
    shortages: z.array(Short).describe('Components of which there is not enough; the call would be refused.'),
  })
  .meta({ id: 'ComponentsPreview' });
export type ComponentsPreview = z.output<typeof ComponentsPreview>;

const consume = z
  .enum(consumeModes)
  .nullish()
  .describe(
    'How the components are taken. `proportional`: the share of what is required that these units take, rounded up from the start of the line, less what was issued. `asListed`: those of `components`. `none`: none. By default as the category of the line says.',
  )
  .meta({ examples: ['proportional'] });

const build = {
  consume,
  components: z
    .array(
      z.strictObject({
        itemEntityId: EntityRef.describe('A component of the line.'),
        quantity: givenQuantity('How much of it was used.'),
        ...givenUnit,
      }),
    )
    .max(10_000)
    .optional()
    .describe('What was really used; only with `consume: "asListed"`.'),
  substitutes,
  componentLots: ComponentLots,
  from,
  note: givenNote,
  dryRun,
};

const listsFit = (body: { consume?: string | null | undefined; components?: unknown }) =>
  body.components === undefined || body.consume === 'asListed';
const listsError = { error: 'only with `consume: "asListed"`', path: ['components'] };

const substitutesFit = (body: { consume?: string | null | undefined; substitutes?: unknown }) =>
  body.substitutes === undefined || body.consume !== 'none';
const substitutesError = { error: 'not with `consume: "none"`, which takes nothing', path: ['substitutes'] };

export const LineReceipt = z
  .strictObject({
    quantity: givenQuantity('How much.'),
    ...givenUnit,
    effectiveOn: givenDay,
    scrap: givenQuantity(
      'Units that were made and failed, beside `quantity` and in the base unit: they take components, and stay open on the line.',
    ).optional(),
    locationEntityId: EntityRef.optional().describe(
      'Where the goods are put; by default the location of the line.',
    ),
    lots: ArrivingLots,
    unitCost: costOfReceived,
    ...build,
  })
  .refine(listsFit, listsError)
  .refine(substitutesFit, substitutesError)
  .meta({ id: 'LineReceipt' });
export type LineReceipt = z.output<typeof LineReceipt>;

export const LineScrap = z
  .strictObject({
    quantity: givenQuantity('Units that were made and failed.'),
    ...givenUnit,
    lots: ArrivingLots,
    ...build,
  })
  .refine(listsFit, listsError)
  .refine(substitutesFit, substitutesError)
  .meta({ id: 'LineScrap' });

export const LineDisassembly = z
  .strictObject({
    quantity: givenQuantity('Units that are taken apart, at most those that were built.'),
    ...givenUnit,
    locationEntityId: EntityRef.nullish().describe('Where they are; by default the location of the line.'),
    lots: NamedLots,
    note: givenNote,
  })
  .meta({ id: 'LineDisassembly' });

export const LotDisassembly = z
  .strictObject({
    quantity: givenQuantity('Units of the lot that are taken apart; by default 1.').optional(),
    ...givenUnit,
    locationEntityId: EntityRef.nullish().describe(
      'Where they are; by default the one location at which the lot is in stock.',
    ),
    note: givenNote,
  })
  .refine(({ quantity, unit }) => unit == null || quantity !== undefined, unitNeeds('quantity'))
  .prefault({})
  .meta({ id: 'LotDisassembly' });

export const ComponentsMoved = z
  .object({
    ...LineComponents.shape,
    taken: z.array(TakenComponent).describe('What was taken.'),
  })
  .meta({ id: 'ComponentsMoved' });

export const LineReceived = LineMoved.extend({
  consumed: z.array(TakenComponent).describe('The components that were issued, each with its location.'),
}).meta({ id: 'LineReceived' });
export type LineReceived = z.output<typeof LineReceived>;

const GivenBack = TakenComponent.omit({ wasReserved: true });
export const LineDisassembled = z
  .object({
    line: StockLine,
    entries,
    returned: z.array(GivenBack).describe('The components that came back, where they had been issued.'),
  })
  .meta({ id: 'LineDisassembled' });
