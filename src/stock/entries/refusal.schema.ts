/** The refusal of a planned movement, as answers show it. */
import { z } from 'zod';

export const refusalShown = z
  .object({ code: z.string(), message: z.string() })
  .nullable()
  .meta({ description: 'Reason of the refusal.' });
