/** Actions of procurement: raise a requirement, draft an order. */
import { z } from 'zod';
import { requireArea } from '../../areas.ts';
import { numbersOf } from '../../configuration/number-blocks.ts';
import { singleCall, singleDone } from '../../group-commit/gathering.ts';
import { createLines } from '../../procurement/lines/create-lines.ts';
import { amountOf } from '../../procurement/records/refusals.ts';
import { refusedSupplier, SupplierName } from '../../procurement/records/schemas/suppliers.schema.ts';
import { tidyName } from '../../procurement/records/suppliers/supplier-key.ts';
import { raiseRequirements } from '../../procurement/requirements/raise-requirements.ts';
import { lineTypes } from '../../stock/entries/line-rules.ts';
import {
  dateInDays,
  defineAction,
  entityField,
  picks,
  quantityField,
  requiredInDaysField,
} from './built-in-action.ts';
import { resolveNamed, resolveSubject } from './resolve-ref.ts';

const NOTE_CHARS_MAX = 2000;

const item = entityField(
  'Item',
  'Leave it empty for the item of the event; for an order line or a requirement, this is the item that it is for.',
  'item',
).exactOptional();

export const raiseRequirement = defineAction({
  name: 'Raise requirement',
  description: 'Raises a material requirement of a project for an item.',
  subject: 'item',
  settingsSchema: z.strictObject({
    item,
    project: entityField('Project', 'The project that needs the item.', 'project'),
    quantity: quantityField,
    requiredInDays: requiredInDaysField,
  }),
  perform: async (run, { item: given, project, quantity, requiredInDays }) => {
    const { tx, actor } = run;
    requireArea(run, 'procurement');
    const request = {
      actor,
      project: await resolveNamed(tx, project),
      item: await resolveSubject(run, 'item', given),
      amount: amountOf(quantity),
      requiredBy: dateInDays(requiredInDays),
    };
    const { id, number, itemId } = singleDone(
      await raiseRequirements(tx, numbersOf(tx), [request], singleCall()),
    );
    return {
      answer: { id, number },
      changes: [
        created(id, 'requirement', number),
        { entityId: id, property: 'item', from: null, to: itemId },
      ],
    };
  },
});

export const draftOrder = defineAction({
  name: 'Draft order',
  description: 'Creates a draft order with one line, for a person to check and to place.',
  subject: 'item',
  settingsSchema: z
    .strictObject({
      item,
      type: z
        .enum(lineTypes)
        .default('purchaseOrder')
        .meta({
          title: 'Kind of order',
          description: 'Purchase, sales or manufacturing order.',
          'x-labels': {
            purchaseOrder: 'Purchase order',
            salesOrder: 'Sales order',
            manufacturingOrder: 'Manufacturing order',
          },
        }),
      location: entityField('Location', 'The location that receives or ships the item.', 'location'),
      quantity: quantityField,
      supplier: SupplierName.exactOptional().meta({
        title: 'Supplier',
        description: 'The supplier of a purchase order.',
        ...picks('supplier'),
      }),
      requiredInDays: requiredInDaysField,
      note: z.string().max(NOTE_CHARS_MAX).exactOptional().meta({ title: 'Note' }),
    })
    .superRefine((settings, check) => {
      const message = refusedSupplier(settings);
      if (message !== null) check.addIssue({ code: 'custom', path: ['supplier'], message });
    }),
  perform: async (run, { item: given, type, location, quantity, supplier, requiredInDays, note }) => {
    const { tx, mover } = run;
    requireArea(run, 'procurement');
    const line = {
      item: await resolveSubject(run, 'item', given),
      location: await resolveNamed(tx, location),
      amount: amountOf(quantity),
      requiredBy: dateInDays(requiredInDays),
      state: 'Draft' as const,
      note: note ?? null,
    };
    const request = {
      by: mover,
      type,
      order: null,
      supplier: supplier === undefined ? null : tidyName(supplier),
      lines: [line],
      isList: false,
    };
    const { order, lines } = singleDone(await createLines(tx, numbersOf(tx), [request], singleCall()));
    const [made] = lines;
    return {
      answer: { id: order.id, number: order.number, lineId: made?.line.id ?? null },
      changes: [created(order.id, type, order.number)],
    };
  },
});

/** Shows a new record as a change, as entities that a script creates are shown. */
function created(entityId: string, category: string, number: string | null) {
  return { entityId, property: category, from: null, to: number };
}
