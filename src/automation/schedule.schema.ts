/** When an automation of context type 8 runs (contract §5.1). */
import { z } from 'zod';
import { scheduleFault } from './next-run.ts';

const CRON_CHARS_MAX = 100;
const ZONE_CHARS_MAX = 64;

export const Schedule = z
  .strictObject({
    cron: z
      .string()
      .max(CRON_CHARS_MAX)
      .meta({
        description: 'Five fields: minute, hour, day of the month, month, day of the week.',
        examples: ['0 6 * * 1-5'],
      }),
    timeZone: z
      .string()
      .max(ZONE_CHARS_MAX)
      .default('UTC')
      .meta({ description: 'IANA name of the time zone.', examples: ['Europe/Berlin'] }),
  })
  .superRefine((schedule, check) => {
    const fault = scheduleFault(schedule);
    if (fault !== null) check.addIssue({ code: 'custom', path: [fault.field], message: fault.message });
  })
  .describe(
    'When it runs, at most once a minute. A time that daylight saving skips runs when the clock has been set forward; a time that comes twice runs once, unless the minutes or hours are a list or a step.',
  )
  .meta({ id: 'AutomationSchedule' });
export type Schedule = z.output<typeof Schedule>;
