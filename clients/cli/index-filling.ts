/** Tells that an import is still being indexed, so that a search by properties may lack some entities, in the words of the app. */
import type { Page } from '../typescript/list-items.ts';
import type { Output } from './output.ts';

/** Goes through pages of entities, and knows afterwards whether one of them said that some may lack. */
export class IndexFilling {
  #isFilling = false;

  /** An older service never says so. */
  note({ indexFilling }: { indexFilling?: boolean | undefined }): void {
    this.#isFilling ||= indexFilling === true;
  }

  async *over<Item>(
    pages: AsyncIterable<Page<Item> & { indexFilling?: boolean }>,
  ): AsyncGenerator<Page<Item>> {
    for await (const page of pages) {
      this.note(page);
      yield page;
    }
  }

  /** Scripts are told too: what they read is not all. */
  tell(output: Output): void {
    if (!this.#isFilling) return;
    output.say(
      'An import is still being indexed: some entities may be missing here for a few minutes.',
      'yellow',
    );
  }
}
