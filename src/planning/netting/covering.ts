/** Shows what covers what while a plan is computed. */

/** Something that comes: a supply that exists, or an action that proposes one. */
export type Coming = { readonly supply: number } | { readonly action: number };

/** Something that is made, for which components are needed on its first day. */
export interface Made {
  readonly day: number;
  readonly quantity: number;
  readonly by: Coming;
}

/** Is told with which supply each need is covered. Plans that nobody asks about have none. */
export interface CoverRecorder {
  /** A need of a day, or the minimum (`isFloor`), is covered by something that comes, or by stock. */
  cover(item: number, need: { day: number; isFloor: boolean }, quantity: number, by: Coming | 'stock'): void;
  /** The rest of something that comes goes into stock. */
  left(item: number, quantity: number, by: Coming): void;
}

/** The origin of a need: a demand, or something that is made of the item. */
export type NeedSource = { readonly demand: number } | { readonly madeItem: number; readonly madeBy: Coming };

/** Is also told of each need. */
export interface PlanRecorder extends CoverRecorder {
  need(item: number, day: number, quantity: number, source: NeedSource): void;
}
