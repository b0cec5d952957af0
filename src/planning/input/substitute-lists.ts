/** Gathers the substitutes that links and requirements name; most lists repeat. */
import { type Substitute, sortSubstitutes } from '../../entities/links/link-line.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { microOfNumber } from '../../quantity.ts';
import type { PlanSubstitutes } from '../netting/planning-input.ts';
import type { IdIndex } from './packed-ids.ts';

export class SubstituteLists {
  readonly #indexOf = new Map<string, number>();
  readonly #lists: (readonly Substitute[])[] = [];
  readonly #ofLink = new Map<number, number>();
  readonly #ofDemand = new Map<number, number>();

  addLink(link: number, substitutes: readonly Substitute[] | null | undefined): void {
    if (substitutes != null && substitutes.length > 0) this.#ofLink.set(link, this.#listOf(substitutes));
  }

  addDemand(demand: number, substitutes: readonly Substitute[] | null | undefined): void {
    if (substitutes != null && substitutes.length > 0) this.#ofDemand.set(demand, this.#listOf(substitutes));
  }

  /** Substitutes that are no items are left out. */
  async resolved(
    idsOf: (refs: readonly EntityRef[]) => Promise<ReadonlyMap<EntityRef, string>>,
    index: IdIndex,
  ): Promise<PlanSubstitutes | undefined> {
    if (this.#lists.length === 0) return undefined;
    const refs = new Set(this.#lists.flatMap((list) => list.map(({ guid }): EntityRef => `guid:${guid}`)));
    const ids = await idsOf([...refs]);
    const groups = this.#lists.map((list) =>
      list.flatMap(({ guid, ratio }) => {
        const id = ids.get(`guid:${guid}`);
        const item = id === undefined ? -1 : index.ofText(id);
        const micro = microOfNumber(ratio) ?? 0n;
        return item < 0 || micro <= 0n ? [] : [{ item, ratio: Number(micro) }];
      }),
    );
    return { groups, ofLink: this.#ofLink, ofDemand: this.#ofDemand };
  }

  #listOf(substitutes: readonly Substitute[]): number {
    const sorted = sortSubstitutes(substitutes);
    const key = sorted.map(({ guid, ratio }) => `${guid} ${ratio}`).join(' ');
    const known = this.#indexOf.get(key);
    if (known !== undefined) return known;
    this.#indexOf.set(key, this.#lists.length);
    return this.#lists.push(sorted) - 1;
  }
}
