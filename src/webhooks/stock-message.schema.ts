/** The data of messages about stock, orders and thresholds (contract §5.4). */
import { z } from 'zod';
import { count, EntityNumber, id, optionalId, quantity, Slug } from './message-fields.schema.ts';

export const stockMoved = z.object({
  entityId: id('Id of the item.'),
  entityNumber: EntityNumber,
  categoryKey: z.string().meta({ description: 'Key of its category.', examples: ['part'] }),
  onHand: quantity('On hand at all locations after the transaction.'),
  reserved: quantity('Reserved at all locations after it.'),
  available: quantity('`onHand` minus `reserved`.'),
  onOrder: quantity('On order for all locations after it.'),
  entryCount: count('Entries of the ledger that the transaction has written for the item.'),
  movements: z
    .array(
      z.object({
        movementType: z.string().meta({ examples: ['Adjustment'] }),
        locationEntityId: id('Id of the location.'),
        quantity: quantity('Sum of its movements of this type.'),
        lineId: optionalId('The stock line that moved.'),
        requirementId: optionalId('The requirement that moved.'),
      }),
    )
    .meta({ description: 'The movements, summed up; at most 100.' }),
  positions: z
    .array(
      z.object({
        locationEntityId: id('Id of the location.'),
        onHand: quantity('On hand there after the transaction.'),
        reserved: quantity('Reserved there after it.'),
        available: quantity('`onHand` minus `reserved`.'),
        onOrder: quantity('On order for it after it.'),
      }),
    )
    .meta({ description: 'The positions that have changed; at most 100.' }),
  isPartial: z
    .boolean()
    .meta({ description: 'Whether movements or positions were left out.', examples: [false] }),
  actorId: optionalId('The caller that moved it last.'),
  workspaceSlug: Slug,
});

const limits = {
  value: quantity('The value that has crossed it.'),
  below: quantity('The threshold that the value fell below.').nullable(),
  above: quantity('The threshold that the value rose above.').nullable(),
};

const crossedByStock = stockMoved.extend({
  automationId: id('The automation whose threshold it is.'),
  figure: z
    .enum(['onHand', 'reserved', 'available', 'onOrder'])
    .meta({ description: 'The figure that the threshold is for.', examples: ['available'] }),
  ...limits,
});

const crossedByView = z.object({
  entityId: z.null(),
  entityNumber: z.null(),
  automationId: id('The automation whose threshold it is.'),
  viewId: id('The saved view.'),
  viewName: z.string().meta({ description: 'Name of the view.', examples: ['Parts without a supplier'] }),
  figure: z.literal('count').meta({ description: 'The number of entities in the view.' }),
  ...limits,
  workspaceSlug: Slug,
});

export const crossed = z.union([crossedByStock, crossedByView]);

export const belowReorderPoint = z.object({
  entityId: id('Id of the item.'),
  entityNumber: EntityNumber,
  categoryKey: z.string().meta({ description: 'Key of its category.', examples: ['part'] }),
  onHand: quantity('On hand at all locations.'),
  reserved: quantity('Reserved at all locations.'),
  available: quantity('`onHand` minus `reserved`.'),
  onOrder: quantity('On order for all locations.'),
  policy: z
    .enum(['demand', 'reorderPoint', 'minMax'])
    .meta({ description: 'How it is reordered.', examples: ['reorderPoint'] }),
  makeOrBuy: z
    .enum(['make', 'buy'])
    .meta({ description: 'Whether it is made or bought.', examples: ['buy'] }),
  comingQty: quantity('Open quantity of purchase and manufacturing lines, and what is in transit.'),
  draftQty: quantity('Quantity of drafts of such lines.'),
  demandQty: quantity('Open demand, without what is reserved for it.'),
  projectedQty: quantity('`available` + `comingQty` + `draftQty` − `demandQty` − the safety stock.'),
  reorderPoint: quantity('The point that `projectedQty` fell below.'),
  missingQty: quantity('What is missing, up to the reorder point or the maximum.'),
  quantity: quantity('The proposed quantity, in the base unit: in lots and packs.'),
  supplierPartId: optionalId('The supplier part to order by; null if there is none, or if it is made.'),
  supplier: z
    .string()
    .nullable()
    .meta({ description: 'Name of its supplier.', examples: ['DigiKey'] }),
  sku: z
    .string()
    .nullable()
    .meta({ description: "The supplier's number.", examples: ['311-10.0KHRCT-ND'] }),
  leadTimeDays: z
    .int()
    .nullable()
    .meta({ description: 'Days from the order to the receipt.', examples: [14] }),
  locationEntityId: optionalId('Where what is ordered is received; null if its planning does not say.'),
  isPartial: z.boolean().meta({
    description: 'Whether only the newest lines or requirements were looked at.',
    examples: [false],
  }),
  workspaceSlug: Slug,
});

export const orderChanged = z.object({
  kind: z.enum(['line', 'requirement']).meta({ description: 'What has changed.', examples: ['line'] }),
  entityId: id('Id of the line or requirement.'),
  entityNumber: EntityNumber,
  categoryKey: z.string().meta({ description: 'Key of its category.', examples: ['purchaseOrderLine'] }),
  state: z.string().meta({ description: 'Its state after the transaction.', examples: ['Ordered'] }),
  type: z
    .enum(['purchaseOrder', 'salesOrder', 'manufacturingOrder'])
    .nullable()
    .meta({ description: 'Type of the line; null for a requirement.', examples: ['purchaseOrder'] }),
  orderId: optionalId('The order of the line.'),
  projectId: optionalId('The project of the requirement.'),
  itemEntityId: id('Id of the item.'),
  locationEntityId: optionalId('The location of the line.'),
  requirementId: optionalId('The requirement that the line is for.'),
  lineId: optionalId('The manufacturing line that the requirement is a component of.'),
  requiredBy: z
    .string()
    .nullable()
    .meta({ description: 'The day on which it is required.', examples: ['2026-12-24'] }),
  quantity: quantity('Quantity of the line or requirement.'),
  reservedQty: quantity('Reserved for it.'),
  orderedQty: quantity('On order for it.'),
  receivedQty: quantity('Received for it.'),
  issuedQty: quantity('Shipped or issued.'),
  returnedQty: quantity('Returned.'),
  workspaceSlug: Slug,
});
