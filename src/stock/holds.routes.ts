/** Lots that reservations hold (contract §4.10). */
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { HoldsQuery, NewLotHold, StockLotHolds } from './lots/holds.schema.ts';
import { changeHold, listHolds } from './lots/holds.ts';
import { LotParams } from './lots/lots.schema.ts';

const tag = 'Stock';
const stock = '/api/wid/{slug}/stock';

const getHolds = defineRoute({
  method: 'get',
  path: `${stock}/holds`,
  operationId: 'listLotHolds',
  tag,
  summary: 'List the lots that reservations hold',
  description: 'Of a sales line, of a requirement, or of a lot.',
  access: 'read',
  transaction: 'read',
  query: HoldsQuery,
  answers: { 200: { description: 'The holds.', schema: StockLotHolds } },
  errors: ['lot_not_found'],
  handle: async ({ query }, tx) => ({ status: 200, body: await listHolds(tx, query) }),
});

const errors = [
  'lot_not_found',
  'line_not_found',
  'requirement_not_found',
  'entity_not_found',
  'quantity_out_of_range',
  'unit_unknown',
  'quantity_inexact',
  'lot_refused',
  'insufficient_stock',
  'entity_archived',
] as const;

function postHold(isRelease: boolean) {
  return defineRoute({
    method: 'post',
    path: `${stock}/lots/{id}/holds${isRelease ? '/releases' : ''}`,
    operationId: isRelease ? 'releaseLotHold' : 'holdLot',
    tag,
    summary: isRelease ? 'Stop holding a lot for a reservation' : 'Hold a lot for a reservation',
    description: isRelease
      ? 'The stock stays reserved, by no lot. An entry of type `LotHold` with a negative quantity records it.'
      : 'Holds a lot for stock that a sales line or a requirement has reserved at the location. Nobody else can ship, issue, move or return what is held of the lot, and it is not proposed to others. The shipment or issue that names the lot takes it. An entry of type `LotHold` records it, which changes no figure of the position.',
    access: 'stock',
    transaction: 'write',
    params: LotParams,
    body: NewLotHold,
    answers: {
      201: { description: 'The lots that the line or requirement holds now.', schema: StockLotHolds },
    },
    errors,
    handle: async ({ actor, params, body }, tx) => {
      const { locationEntityId: location, note = null, ...given } = body;
      const change = { ...given, lotId: params.id, location, note, isRelease };
      return { status: 201, body: await changeHold(tx, actor, change) };
    },
  });
}

export const holdRoutes: readonly AnyRoute[] = [getHolds, postHold(false), postHold(true)];
