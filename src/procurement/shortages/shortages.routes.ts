/** `/projects/{id}/shortages`: what a project is short of (contract §4.6). */
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { streamJson } from '../../entities/structure/stream-items.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { sendTable } from '../../http/answers/send-table.ts';
import { type AnyRoute, defineRoute, LARGE_BODY_BYTES } from '../../http/route.ts';
import { numberOf } from '../../quantity.ts';
import { findProject } from '../records/find-procured.ts';
import { lineMakingErrors, requirementErrors } from '../records/procurement-errors.ts';
import { amountOf, atLine } from '../records/refusals.ts';
import { showCreatedOrder, showRequirement } from '../records/show-procurement.ts';
import { tidyName } from '../records/suppliers/supplier-key.ts';
import type { MovedRequirement } from '../requirements/reserve-requirements.ts';
import { arrangeNeeds } from './arrange-needs.ts';
import { findShortages } from './find-shortages.ts';
import { raiseShortages } from './raise-shortages.ts';
import {
  ProjectParams,
  ProjectShortages,
  ShortageOrders,
  ShortageQuery,
  ShortageRequirements,
  ShortageReservations,
  ShortagesOrdered,
  ShortagesRaised,
  ShortagesReserved,
} from './shortages.schema.ts';
import { exportShortages, showShortages } from './show-shortages.ts';
import { orderShortages, reserveShortages } from './supply-shortages.ts';

const path = '/api/wid/{slug}/projects/{id}/shortages';
const tag = 'Procurement';

const getShortages = defineRoute({
  method: 'get',
  path,
  operationId: 'listShortages',
  tag,
  summary: 'List the shortages of a project',
  description:
    'Lists the items that are short, unless `all` or `open` asks for others too. Explodes the structure below the project to sub-assemblies and leaves, and compares what is needed with what is reserved for the project, available and on order. Components of an assembly are needed only for as many as are short. The structure below another project belongs to that project. Quantities along a path are multiplied to 60 significant digits, rounded up, of which 40 count; if the result has more than 24 digits before the point, the response is `quantity_out_of_range`.',
  access: 'read',
  transaction: 'none',
  readsMuch: true,
  params: ProjectParams,
  query: ShortageQuery,
  answers: {
    200: {
      description: 'The shortages.',
      schema: ProjectShortages,
      alternatives: { 'text/csv': 'One item per line, without its uses, with a header line.' },
    },
  },
  errors: [
    'entity_not_found',
    'not_a_project',
    'tree_too_large',
    'cycle',
    'too_many_to_sort',
    'quantity_out_of_range',
    'not_acceptable',
    'too_many_streams',
  ],
  handle: async (call) => {
    const { ctx, gone, params, query, req, workspace } = call;
    const accepted = req.accepts(['application/json', 'text/csv']);
    if (accepted === false)
      throw new AppError('not_acceptable', 'Shortages are available as application/json or text/csv.');
    const read = <T>(work: (tx: Tx) => Promise<T>) =>
      inTransaction(ctx.db, { workspaceId: workspace.id }, work, { readOnly: true, gone });
    const { needs, ...head } = await read(async (tx) => {
      const project = await findProject(tx, params.id);
      const found = await findShortages(tx, project.id, {
        linksMax: ctx.config.TREE_ITEMS_MAX,
        configuration: query.configuration,
      });
      return {
        projectId: project.id,
        itemCount: found.length,
        shortCount: countOf(found, ({ short }) => short.digits > 0n),
        openRequirementCount: countOf(found, ({ openRequired }) => openRequired > 0n),
        needs: await arrangeNeeds(tx, found, query),
      };
    });
    const slices = new Slices(gone);
    if (accepted === 'text/csv')
      return sendTable(call, 'shortages.csv', exportShortages(read, needs, slices));
    await streamJson(call, showShortages(read, { ...head, needs }, slices));
    return null;
  },
});

function countOf<Item>(items: readonly Item[], counts: (item: Item) => boolean): number {
  return items.reduce((count, item) => count + (counts(item) ? 1 : 0), 0);
}

const postRequirements = defineRoute({
  method: 'post',
  path: `${path}/requirements`,
  operationId: 'raiseShortages',
  tag,
  summary: 'Create requirements for the shortages of a project',
  description:
    'Creates one requirement for each item that is short, beyond its open requirements of the project: a second call creates no more. Requirements that were created for the structure and exceed what it needs now are reduced, or cancelled if nothing of them is reserved or ordered; the audit trail keeps the previous quantity. If more than 10 000 would be created at once, name the items.',
  access: 'procurement',
  transaction: 'write',
  readsMuch: true,
  params: ProjectParams,
  body: ShortageRequirements,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 201: { description: 'The created requirements.', schema: ShortagesRaised } },
  errors: [
    'entity_not_found',
    'entity_archived',
    'not_a_project',
    'tree_too_large',
    'cycle',
    'quantity_out_of_range',
    'procurement_not_configured',
    'transition_not_allowed',
    'properties_required',
  ],
  handle: async ({ params, body, actor, ctx }, tx) => {
    const { itemEntityIds: items = null, leavesOnly, requiredBy = null } = body;
    const wanted = { project: params.id, items, leavesOnly, requiredBy };
    const basis = { linksMax: ctx.config.TREE_ITEMS_MAX, configuration: body.configuration };
    const { raised, changed } = await raiseShortages(tx, ctx.moverOf(actor), wanted, basis);
    return {
      status: 201,
      body: { requirements: raised.map(showRequirement), changed: changed.map(showRequirement) },
    };
  },
});

const postReservations = defineRoute({
  method: 'post',
  path: `${path}/reservations`,
  operationId: 'reserveShortages',
  tag,
  summary: 'Reserve items for a project: all or nothing',
  description:
    'Reserves what is available of each item, up to what the project still needs and has not ordered, from the locations with the most first. It is reserved for open requirements of the project; a need without one gets a requirement.',
  access: 'stock',
  transaction: 'write',
  readsMuch: true,
  params: ProjectParams,
  body: ShortageReservations,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 201: { description: 'The reservations.', schema: ShortagesReserved } },
  errors: [...requirementErrors, 'not_a_project', 'tree_too_large', 'cycle'],
  handle: async ({ params, body, actor, ctx }, tx) => {
    const items = body.lines.map(({ itemEntityId }) => itemEntityId);
    const wanted = { project: params.id, items, note: body.note ?? null };
    const basis = { linksMax: ctx.config.TREE_ITEMS_MAX, configuration: body.configuration };
    const reserved = await reserveShortages(tx, ctx.moverOf(actor), wanted, basis);
    return { status: 201, body: { reservations: reserved.map(showReservation) } };
  },
});

function showReservation({
  requirement,
  location,
  entries,
}: MovedRequirement): ShortagesReserved['reservations'][number] {
  return {
    itemEntityId: requirement.itemId,
    itemNumber: requirement.itemNumber,
    locationEntityId: location.id,
    locationNumber: location.number,
    requirement: showRequirement(requirement),
    quantity: numberOf(entries.reduce((sum, { quantity }) => sum + quantity, 0n)),
  };
}

const postOrders = defineRoute({
  method: 'post',
  path: `${path}/orders`,
  operationId: 'orderShortages',
  tag,
  summary: 'Order items for a project: all or nothing',
  description:
    'Creates one purchase order for each supplier. Each item is ordered for the open requirements of the project; a shortage without one gets a requirement, and what is ordered beyond the need of the project is for no requirement.',
  access: 'procurement',
  transaction: 'write',
  readsMuch: true,
  params: ProjectParams,
  body: ShortageOrders,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 201: { description: 'The orders with their lines.', schema: ShortagesOrdered } },
  errors: [...lineMakingErrors, 'not_a_project', 'tree_too_large', 'cycle'],
  handle: async ({ params, body, actor, ctx }, tx) => {
    const { locationEntityId: location, lines, state, requiredBy = null, note = null } = body;
    const wanted = {
      project: params.id,
      location,
      state,
      requiredBy,
      note,
      lines: lines.map(({ itemEntityId: item, quantity, supplier }, index) => ({
        item,
        amount: atLine(index, () => amountOf(quantity)),
        supplier: supplier == null ? supplier : tidyName(supplier),
      })),
    };
    const basis = { linksMax: ctx.config.TREE_ITEMS_MAX, configuration: body.configuration };
    const orders = await orderShortages(tx, ctx.moverOf(actor), wanted, basis);
    return { status: 201, body: { orders: orders.map(showCreatedOrder) } };
  },
});

export const shortageRoutes: readonly AnyRoute[] = [
  getShortages,
  postRequirements,
  postReservations,
  postOrders,
];
