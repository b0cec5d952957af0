/** `/requirements`: what is needed, and what covers it (contract §4.6). */
import { requireMatch, tagOfContent } from '../http/entity-tag.ts';
import { listOf } from '../http/list.ts';
import { requireAsRead } from '../http/read-only.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import { showEntry } from '../stock/entries/show-stock.ts';
import { lotsWanted } from '../stock/movements/lot-shares.ts';
import { showEntries } from './lines/line-entries.ts';
import { findRequirement } from './records/find-procured.ts';
import { amountOfCall, dayOfCall, readingIn } from './records/given-amounts.ts';
import {
  lineMakingErrors,
  requirementChangeErrors,
  requirementErrors,
  requirementMakingErrors,
} from './records/procurement-errors.ts';
import {
  MaterialRequirement,
  NewRequirement,
  RequirementIssue,
  RequirementMoved,
  RequirementOrder,
  RequirementOrdered,
  RequirementParams,
  RequirementPatch,
  RequirementQuery,
  RequirementRelease,
  RequirementReservation,
  RequirementWithHeld,
} from './records/requirements.schema.ts';
import { showLine, showRequirement } from './records/show-procurement.ts';
import { givenSupplier } from './records/suppliers/supplier-key.ts';
import { changeRequirement } from './requirements/change-requirement.ts';
import { showWithHeld } from './requirements/held-requirement.ts';
import { listRequirements } from './requirements/list-requirements.ts';
import { moveRequirement } from './requirements/move-requirement.ts';
import type { MovedRequirement } from './requirements/reserve-requirements.ts';

const collection = '/api/wid/{slug}/requirements';
const member = `${collection}/{id}`;
const tag = 'Procurement';

const getRequirements = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listRequirements',
  tag,
  summary: 'List material requirements',
  description:
    'In order of creation. A requirement must match all filters. With `q` or `overdue`, a page may contain fewer items than `limit`, even none, although there are more: `nextCursor` is null only on the last page.',
  access: 'read',
  transaction: 'read',
  query: RequirementQuery,
  answers: { 200: { description: 'A page of requirements.', schema: listOf(MaterialRequirement) } },
  errors: ['entity_not_found'],
  handle: async ({ query }, tx) => ({ status: 200, body: await listRequirements(tx, query) }),
});

const postRequirement = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createRequirement',
  tag,
  summary: 'Create a material requirement',
  description: 'Records a need; it writes no ledger entry.',
  access: 'procurement',
  // Callers of the same time share a transaction, and their keys are recorded in it.
  transaction: 'none',
  idempotent: true,
  body: NewRequirement,
  answers: { 201: { description: 'The requirement.', schema: MaterialRequirement } },
  errors: requirementMakingErrors,
  handle: async (call) => {
    const { ctx, actor, body, workspace, idempotency } = call;
    const { projectId: project, itemEntityId: item, requiredQty: quantity, requiredBy = null } = body;
    const given = { ...body, quantity, field: 'requiredQty', subject: { item } };
    return ctx.procurement.newRequirements.make({
      workspaceId: workspace.id,
      idempotency,
      ...{ actor, project, item, requiredBy },
      give: async (reading) => ({ amount: (await amountOfCall(reading, given)).amount }),
      show: (raised) => ({
        status: 201,
        headers: { Location: `/api/wid/${workspace.slug}/requirements/${raised.id}` },
        body: showRequirement(raised),
      }),
    });
  },
});

const getRequirement = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getRequirement',
  tag,
  summary: 'Read a material requirement',
  access: 'read',
  transaction: 'glance',
  readsOne: true,
  params: RequirementParams,
  answers: { 200: { description: 'The requirement.', schema: RequirementWithHeld } },
  errors: ['requirement_not_found'],
  handle: async ({ params }, tx) => {
    const body = await showWithHeld(tx, await findRequirement(tx, params.id));
    return { status: 200, body, etag: tagOfContent(body) };
  },
});

const patchRequirement = defineRoute({
  method: 'patch',
  path: member,
  operationId: 'updateRequirement',
  tag,
  summary: 'Change the quantity or date of a material requirement',
  description:
    'The quantity does not fall below what is reserved or ordered for it; its state and its name follow. The quantity of a component follows its manufacturing line. The audit trail keeps the previous values and the note. A body that changes nothing writes nothing.',
  access: 'procurement',
  transaction: 'write',
  params: RequirementParams,
  body: RequirementPatch,
  answers: { 200: { description: 'The changed requirement.', schema: RequirementWithHeld } },
  errors: requirementChangeErrors,
  handle: async (call, tx) => {
    const { ctx, actor, params, body } = call;
    const { requiredQty, requiredBy, note = null } = body;
    const subject = { requirement: params.id };
    const asked = { ...body, field: 'requiredQty', subject, quantity: requiredQty ?? 0 };
    const given = requiredQty === undefined ? undefined : await amountOfCall(readingIn(tx), asked);
    const changed = await changeRequirement(tx, ctx.moverOf(actor), {
      requirement: params.id,
      amount: given?.amount,
      requiredBy,
      note,
      check: async (locked) => {
        const shown = await showWithHeld(tx, locked);
        requireMatch(call, tagOfContent(shown));
        requireAsRead(RequirementPatch, body, shown);
      },
    });
    const shown = await showWithHeld(tx, changed);
    return { status: 200, body: shown, etag: tagOfContent(shown) };
  },
});

function movement(
  name: string,
  operationId: string,
  summary: string,
  description: string,
  type: 'MRRelease' | 'MRIssue',
) {
  return defineRoute({
    method: 'post',
    path: `${member}/${name}`,
    operationId,
    tag,
    summary,
    description,
    access: 'stock',
    transaction: 'write',
    params: RequirementParams,
    body: type === 'MRIssue' ? RequirementIssue : RequirementRelease,
    answers: {
      201: { description: 'The requirement after the movement, and the entries.', schema: RequirementMoved },
    },
    errors: requirementErrors,
    handle: async ({ ctx, actor, params, body }, tx) => {
      const { locationEntityId: location, substituteEntityId: substitute = null, note = null } = body;
      const reading = readingIn(tx);
      const subject = substitute === null ? { requirement: params.id } : { item: substitute };
      const { amount, entered } = await amountOfCall(reading, { ...body, subject });
      const { effectiveOn: day, lots: named } = body as RequirementIssue;
      const [effectiveOn, lots] = [await dayOfCall(reading, day), lotsWanted(named, { amount, entered })];
      const work = { substitute, location, amount, entered, effectiveOn, note, lots, requirement: params.id };
      const moved = await moveRequirement(tx, ctx.moverOf(actor), type, work);
      return { status: 201, body: showMoved(actor, moved) };
    },
  });
}

function showMoved(
  actor: WorkspaceCall['actor'],
  { requirement, substitute, location, entries }: MovedRequirement,
): RequirementMoved {
  const { number } = substitute ?? { number: requirement.itemNumber };
  const shown = entries.map((entry) => showEntry(entry, number, location.number, actor));
  return { requirement: showRequirement(requirement), entries: shown };
}

const postReservation = defineRoute({
  method: 'post',
  path: `${member}/reservations`,
  operationId: 'reserveRequirement',
  tag,
  summary: 'Reserve stock for a requirement',
  description:
    'Writes MRReservation, up to the open quantity, or what was received for the requirement and is not reserved yet. `lots` are held for the requirement (LotHold).',
  access: 'stock',
  transaction: 'none',
  idempotent: true,
  params: RequirementParams,
  body: RequirementReservation,
  answers: {
    201: { description: 'The requirement after the movement, and the entries.', schema: RequirementMoved },
  },
  errors: [...requirementErrors, 'stock_busy'],
  handle: async (call) => {
    const { ctx, workspace, actor, params, body, idempotency } = call;
    const { locationEntityId: location, note = null } = body;
    return ctx.procurement.reservations.make({
      workspaceId: workspace.id,
      idempotency,
      by: ctx.moverOf(actor),
      requirement: params.id,
      location,
      give: async (reading) => {
        const given = await amountOfCall(reading, { ...body, subject: { requirement: params.id } });
        return { ...given, lots: lotsWanted(body.lots, given) };
      },
      note,
      show: (moved) => ({ status: 201, body: showMoved(actor, moved) }),
    });
  },
});

const postOrder = defineRoute({
  method: 'post',
  path: `${member}/orders`,
  operationId: 'orderRequirement',
  tag,
  summary: 'Order for a requirement',
  description:
    'Creates a purchase line for it (OnOrderAdd): Ordered Qty rises by that quantity, and falls again by what is open when the line is cancelled or closed.',
  access: 'procurement',
  transaction: 'none',
  idempotent: true,
  params: RequirementParams,
  body: RequirementOrder,
  answers: {
    201: {
      description: 'The requirement after the movement, the line and its entries.',
      schema: RequirementOrdered,
    },
  },
  errors: [...lineMakingErrors, 'stock_busy'],
  handle: async (call) => {
    const { ctx, workspace, actor, params, body, idempotency } = call;
    const { locationEntityId: location, orderId = null, requiredBy = null, note = null } = body;
    const line = { item: null, requirement: params.id, location, requiredBy, note };
    return ctx.procurement.newLines.make({
      workspaceId: workspace.id,
      idempotency,
      by: ctx.moverOf(actor),
      type: 'purchaseOrder',
      order: orderId,
      supplier: givenSupplier(body),
      give: async (reading) => {
        const given = await amountOfCall(reading, { ...body, subject: { requirement: params.id } });
        return { lines: [{ ...line, ...given }] };
      },
      isList: false,
      show: ({ lines: [created] }) => {
        if (created === undefined || created.requirement === null)
          throw new Error('A line for a requirement without it');
        const { line: own, entries, requirement } = created;
        return {
          status: 201,
          body: {
            requirement: showRequirement(requirement),
            line: showLine(own),
            entries: showEntries(entries, own, actor),
          },
        };
      },
    });
  },
});

export const requirementRoutes: readonly AnyRoute[] = [
  getRequirements,
  postRequirement,
  getRequirement,
  patchRequirement,
  postReservation,
  movement(
    'releases',
    'releaseRequirement',
    'Release a reservation of a requirement',
    'Writes MRRelease, up to what it holds at the location.',
    'MRRelease',
  ),
  movement(
    'issues',
    'issueRequirement',
    'Issue reserved material',
    'Writes MRIssue: hands material that the requirement holds at the location to its project or order. On Hand and Reserved fall; the requirement stays covered by it.',
    'MRIssue',
  ),
  postOrder,
];
