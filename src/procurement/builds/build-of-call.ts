/** Reads the components of a build from a call, and converts its quantities to base units. */
import type { z } from 'zod';
import { amountsGiven, type GivenAmount, type Reading } from '../records/given-amounts.ts';
import type { LineReceipt } from './builds.schema.ts';
import type { SubstitutesGiven } from './component-calls.schema.ts';
import { type BuildRequest, noScrap } from './plan-build.ts';
import type { WantedSubstitute } from './substitutes.ts';

type BuildBody = Pick<
  z.output<typeof LineReceipt>,
  'consume' | 'components' | 'from' | 'componentLots' | 'substitutes'
>;

/** Returns nothing if the call says nothing about components: the category of the line decides. */
export async function buildOf(
  reading: Reading,
  body: BuildBody,
  scrap: BuildRequest['scrap'] | null,
): Promise<BuildRequest | undefined> {
  const { consume = null, components, from = null, componentLots } = body;
  const isGiven =
    components !== undefined ||
    scrap !== null ||
    componentLots !== undefined ||
    body.substitutes !== undefined;
  if (consume === null && from === null && !isGiven) return undefined;
  const listed = await amountsGiven(
    reading,
    (components ?? []).map((one, index) => ({
      ...one,
      subject: { item: one.itemEntityId },
      index: null,
      field: `components/${index}/quantity`,
    })),
  );
  return {
    consume,
    listed: (components ?? []).map(({ itemEntityId: item }, index) => ({
      ...(listed[index] as GivenAmount),
      item,
    })),
    from,
    scrap: scrap ?? noScrap,
    componentLots,
    substitutes: await substitutesOf(reading, body.substitutes),
  };
}

/** Returns the substitutes that a call names. */
export async function substitutesOf(reading: Reading, given: SubstitutesGiven): Promise<WantedSubstitute[]> {
  const all = given ?? [];
  const stated = all.flatMap(({ quantity, ...one }, index) =>
    quantity === undefined
      ? []
      : [
          {
            ...one,
            quantity,
            index: null,
            subject: { item: one.substituteEntityId },
            field: `substitutes/${index}/quantity`,
          },
        ],
  );
  const amounts = await amountsGiven(reading, stated);
  return all.map(({ itemEntityId, substituteEntityId, quantity }) => ({
    component: itemEntityId,
    substitute: substituteEntityId,
    given: quantity === undefined ? null : (amounts.shift() ?? null),
  }));
}
