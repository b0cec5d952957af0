/** A commit of a dry run whose basis has changed: the batch fails before anything is written. */
export class StalePlanError extends Error {
  static readonly GUIDS_MAX = 10;
  override readonly name = 'StalePlanError';
  /** The first entities concerned. */
  readonly guids: readonly string[];

  constructor(guids: readonly string[]) {
    super(
      guids.length === 0
        ? 'The plan is stale: what it rests on is no longer kept. Run it dry again.'
        : `The plan is stale: what it rests on has changed since, first at ${guids.join(', ')}. Run it dry again.`,
    );
    this.guids = guids;
  }
}
