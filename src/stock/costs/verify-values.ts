/** Recomputes what stock cost: replays the layers of each position in its order, and compares what each step took and left. */
import { amountAt, type Money, moneyOf } from '../../money/money.ts';
import { microOfDecimal } from '../../quantity.ts';
import { ONE } from '../../units/rational.ts';
import { LOWEST_ID } from '../entries/ledger-entry.ts';
import { comesAtStandard } from './cost-entries.ts';
import {
  type Layer,
  nothingCosted,
  type Piece,
  PositionCosts,
  type Standard,
  type Use,
} from './position-costs.ts';
import { standardOf } from './read-costs.ts';
import { type ProofUse, type StepProofRow, selectStepsBehind } from './value-proof.sql.ts';

const PAGE_ROWS = 1000;
const PAGE_REVALUATIONS = 50;

/** Opens a transaction for each page. */
type Read = <Row>(sql: string, params: readonly unknown[]) => Promise<Row[]>;

/** A position whose costs are wrong, and the first step that says so. */
export interface WrongStep {
  itemId: string;
  locationId: string;
  stepId: string;
  message: string;
}

/** Yields the first problem of each position whose costs are not what the rules make of its layers. */
export async function* verifyValues(read: Read, workspaceId: string): AsyncGenerator<WrongStep> {
  let last: StepProofRow | null = null;
  let costs = new PositionCosts('fifo', nothingCosted, []);
  let isWrong = false;
  for (let more = true; more; ) {
    const {
      item_id: item = LOWEST_ID,
      location_id: location = LOWEST_ID,
      id = LOWEST_ID,
    }: Partial<StepProofRow> = last ?? {};
    const rows: StepProofRow[] = await read<StepProofRow>(selectStepsBehind, [
      workspaceId,
      item,
      location,
      id,
      PAGE_ROWS,
      PAGE_REVALUATIONS,
    ]);
    for (const row of rows) {
      if (last?.item_id !== row.item_id || last.location_id !== row.location_id) {
        costs = new PositionCosts(row.method, nothingCosted, []);
        isWrong = false;
      }
      last = row;
      if (isWrong) continue;
      const before = costs.standard;
      costs = costs.goingOn(row.method, standardOf(row));
      const message = wrongStandard(before, row) ?? followStep(costs, row);
      if (message === null) continue;
      isWrong = true;
      yield { itemId: row.item_id, locationId: row.location_id, stepId: row.id, message };
    }
    more = rows.length > 0;
  }
}

/** Returns what is wrong with the standard cost by which the step went, or null: they follow each other. */
function wrongStandard(before: Standard | null, { standard_id: id, has_standard: has }: StepProofRow) {
  if ((id ?? LOWEST_ID) < (before?.id ?? LOWEST_ID))
    return 'It goes by an older standard cost than what was before it.';
  return id === null || has ? null : 'The standard cost by which it goes is not there.';
}

/** Returns what is wrong with the step, or null. */
function followStep(costs: PositionCosts, row: StepProofRow): string | null {
  const delta = row.delta === null ? 0n : microOfDecimal(row.delta);
  const layers = row.layers ?? [];
  const unit = costs.standard?.cost ?? null;
  const isAtStandard = ({ quantity, cost }: { quantity: string; cost: string | null }) =>
    unit === null || costOf(cost) === amountAt(unit, microOfDecimal(quantity), ONE);
  for (const { layer, kind, standard, ...given } of layers) {
    if (costOf(standard) !== (comesAtStandard(kind) ? unit : null))
      return 'A layer did not come in at the standard cost of the item.';
    if (standard !== null && !isAtStandard(given)) return 'A layer does not cost the standard.';
    const from = { entryId: row.id, lineId: kind === 'opening' ? null : given.lineId };
    const piece = { ...pieceOf(given), originId: given.originId };
    if (costs.put(piece, from) !== BigInt(layer)) return 'Its layers are not numbered one after another.';
  }
  const brought = layers
    .filter(({ kind }) => kind !== 'opening')
    .reduce((sum, { quantity }) => sum + microOfDecimal(quantity), 0n);
  if (brought !== (delta > 0n ? delta : 0n)) return 'Its layers are not what it brought.';
  const uses = row.uses ?? [];
  const own = row.own_quantity === null ? null : pieceOf({ quantity: row.own_quantity, cost: row.own_cost });
  const { reverses_id: reversesId, line_id: lineId } = row;
  const prefers = (layer: Layer) =>
    reversesId !== null ? layer.entryId === reversesId : lineId !== null && layer.lineId === lineId;
  const expected = delta < 0n ? costs.take(-delta, prefers, own) : [];
  if (!isSame(expected, uses)) return 'What it took is not what the method of the workspace takes.';
  // A position may have layers by the hundred thousand, and most steps revalue none.
  const open = row.revaluations === null ? [] : costs.open;
  const byNumber = new Map(open.map((one) => [one.layer, one]));
  const given = new Map<Layer, Money>();
  for (const { layer, quantity, after } of row.revaluations ?? []) {
    if (!isAtStandard({ quantity, cost: after }))
      return 'It revalues a layer to another cost than the standard.';
    const found = byNumber.get(BigInt(layer));
    if (found === undefined) return 'It revalues a layer of which nothing is left.';
    given.set(found, moneyOf(after));
  }
  if (given.size > 0) costs.revalue(given);
  const { onHand, known, value } = costs.state;
  const isRight =
    onHand === microOfDecimal(row.on_hand) &&
    known === microOfDecimal(row.known) &&
    value === moneyOf(row.value);
  if (!isRight) return 'The value after it is not that before it and what it took and brought.';
  if (row.on_hand_after !== null && row.on_hand_after !== row.on_hand)
    return 'The quantity that is valued is not that on hand after it.';
  return null;
}

function pieceOf({ quantity, cost }: { quantity: string; cost: string | null }): Piece {
  return { originId: LOWEST_ID, quantity: microOfDecimal(quantity), cost: costOf(cost) };
}

function costOf(cost: string | null): Money | null {
  return cost === null ? null : moneyOf(cost);
}

function isSame(expected: readonly Use[], uses: readonly ProofUse[]): boolean {
  return (
    expected.length === uses.length &&
    expected.every(({ layer, quantity, cost }, at) => {
      const use = uses[at] as ProofUse;
      return (
        layer === BigInt(use.layer) && quantity === microOfDecimal(use.quantity) && cost === costOf(use.cost)
      );
    })
  );
}
