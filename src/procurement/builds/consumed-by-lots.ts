/**
 * Finds what lots of built units really consumed. Components that were issued with a receipt belong to the units of that receipt; the others
 * belong to all units of the line alike (contract §4.10). Units of a lot that were taken apart are those that were built last before it.
 */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { type Micro, microOfDecimal, numberOf } from '../../quantity.ts';
import type { LotShare } from '../../stock/movements/by-shares.ts';
import { type IssuedRow, selectIssuedInBookings, selectUnits, type UnitsRow } from './builds.sql.ts';
import { type Build, divideUp } from './components.ts';
import type { Back } from './take-back.ts';

const ENTRIES_MAX = 20_000;
const ISSUED_MAX = 50_000;

export interface Consumed {
  backs: Back[];
  /** Bookings that received units of the line: their issues belong to the units of each. */
  bookings: string[];
}

/**
 * Returns what comes back for lots that are taken apart. `inAll` says how much the units of the line have consumed of each component, of
 * which `amount` of `built` units are taken apart. Throws `over_disassembly` for a lot that the line did not build, `tree_too_large`.
 */
export async function consumedByLots(
  tx: Tx,
  build: Build,
  lots: readonly LotShare[],
  inAll: (component: Build['components'][number]) => Micro,
  { amount, built }: { amount: Micro; built: Micro },
): Promise<Consumed> {
  const rows = await tx.query<UnitsRow>(selectUnits, [tx.workspaceId, build.line.id, ENTRIES_MAX + 1]);
  if (rows.length > ENTRIES_MAX) throw tooMuch(`The line has more than ${ENTRIES_MAX} entries.`);
  const units = new UnitsOfLine(rows);
  const apart = new Map<string | null, Micro>();
  for (const lot of lots)
    for (const [bookingId, some] of units.take(build, lot))
      apart.set(bookingId, (apart.get(bookingId) ?? 0n) + some);

  const bookings = [...units.bookings];
  const requirements = new Map(build.components.map((component) => [component.requirement.id, component]));
  const issued = await tx.query<IssuedRow>(selectIssuedInBookings, [
    tx.workspaceId,
    [...requirements.keys()],
    bookings,
    ISSUED_MAX + 1,
  ]);
  if (issued.length > ISSUED_MAX) throw tooMuch(`Its receipts took components ${ISSUED_MAX} times or more.`);
  const backs: Back[] = [];
  const own = new Map<string, Micro>();
  for (const { requirement_id: id, booking_id: bookingId, issued: text } of issued) {
    const quantity = microOfDecimal(text);
    own.set(id, (own.get(id) ?? 0n) + quantity);
    const some = apart.get(bookingId) ?? 0n;
    const component = requirements.get(id);
    if (some === 0n || component === undefined) continue;
    backs.push({ component, bookingId, amount: (quantity * some) / units.before(bookingId) });
  }
  for (const component of build.components) {
    const common = inAll(component) - (own.get(component.requirement.id) ?? 0n);
    if (common > 0n) backs.push({ component, amount: common - divideUp(common * (built - amount), built) });
  }
  return { backs: backs.filter((back) => back.amount > 0n), bookings };
}

function tooMuch(what: string): AppError {
  return new AppError('tree_too_large', {
    detail: `${what} Take back its receipts one by one instead.`,
    extensions: { limit: ENTRIES_MAX },
  });
}

interface Built {
  bookingId: string | null;
  left: Micro;
}

/** Units of a line that are built and were not taken apart, by lot and by the booking that built them. */
class UnitsOfLine {
  readonly bookings = new Set<string>();
  readonly #ofLot = new Map<string | null, Built[]>();
  /** Units that took the components of a booking. */
  readonly #ofBooking = new Map<string | null, Micro>();

  constructor(rows: readonly UnitsRow[]) {
    for (const { booking_id: bookingId, lot, kind, quantity: text } of rows) {
      const quantity = microOfDecimal(text);
      if (kind === 'apart') {
        for (const [booking, some] of this.#pop(lot, quantity)) this.#add(booking, -some);
        continue;
      }
      if (bookingId !== null) this.bookings.add(bookingId);
      this.#add(bookingId, quantity);
      if (kind === 'failed') continue;
      const built = this.#ofLot.get(lot) ?? [];
      built.push({ bookingId, left: quantity });
      this.#ofLot.set(lot, built);
    }
  }

  /** Returns the units that took the components of a booking, before anything was taken with `take`. */
  before(bookingId: string): Micro {
    return this.#ofBooking.get(bookingId) ?? 0n;
  }

  /** Takes units of a lot, those that were built last first, and returns how many each booking had built. Throws `over_disassembly`. */
  take({ line }: Build, { lot, amount }: LotShare): [string | null, Micro][] {
    const taken = this.#pop(lot, amount);
    const found = taken.reduce((sum, [, some]) => sum + some, 0n);
    if (found === amount) return taken;
    throw new AppError('over_disassembly', {
      detail: `Line ${line.number ?? line.id} built ${numberOf(found)} of lot ${lot} that were not taken apart, not ${numberOf(amount)}.`,
      extensions: { lot, builtQty: numberOf(found) },
    });
  }

  #add(bookingId: string | null, more: Micro): void {
    this.#ofBooking.set(bookingId, (this.#ofBooking.get(bookingId) ?? 0n) + more);
  }

  #pop(lot: string | null, quantity: Micro): [string | null, Micro][] {
    const built = this.#ofLot.get(lot) ?? [];
    const taken: [string | null, Micro][] = [];
    for (let left = quantity; left > 0n; ) {
      const last = built.at(-1);
      if (last === undefined) break;
      const some = last.left < left ? last.left : left;
      if (some > 0n) taken.push([last.bookingId, some]);
      last.left -= some;
      left -= some;
      if (last.left === 0n) built.pop();
    }
    return taken;
  }
}
