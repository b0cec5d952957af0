/** Fields that a resource shows and nobody sets: accepted in a PUT as they were read, and ignored (contract §1.12). */
import { z } from 'zod';

/** To be spread into the strict object of a replacement body. */
export function readOnly<const Name extends string>(
  ...names: Name[]
): Record<Name, z.ZodOptional<z.ZodUnknown>> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      z
        .unknown()
        .optional()
        .meta({ readOnly: true, description: 'Ignored: taken so that what was read can be sent.' }),
    ]),
  ) as Record<Name, z.ZodOptional<z.ZodUnknown>>;
}
