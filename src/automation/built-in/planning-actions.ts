/** The action that starts a planning run. */
import { z } from 'zod';
import { requireArea } from '../../areas.ts';
import { NewPlanningRun } from '../../planning/options/planning-options.schema.ts';
import { acceptOrJoinRun } from '../../planning/runs/accept-run.ts';
import { defineAction } from './built-in-action.ts';

/** Without holidays; those of the workspace are omitted. */
const workingDaysOf = {
  workspace: {},
  everyDay: { weekdays: [0, 1, 2, 3, 4, 5, 6], holidays: [] },
  mondayToFriday: { weekdays: [1, 2, 3, 4, 5], holidays: [] },
};

const { horizonDays, periodDays, toleranceDays } = NewPlanningRun.shape;

export const startPlanningRun = defineAction({
  name: 'Start planning run',
  description:
    'Plans what to order and to make. If a run with the same options waits already, the action returns that run and starts none. A worker computes the run after the run of the automation.',
  subject: null,
  settingsSchema: z.strictObject({
    horizonDays: horizonDays.meta({ title: 'Days to plan' }),
    periodDays: periodDays.meta({ title: 'Days of needs in one order' }),
    toleranceDays: toleranceDays.meta({ title: 'Days that a line may be early' }),
    workingDays: z
      .enum(['workspace', 'everyDay', 'mondayToFriday'])
      .default('workspace')
      .meta({
        title: 'Working days',
        description: 'Lead times count working days.',
        'x-labels': {
          workspace: 'Those of the settings of stock',
          everyDay: 'Every day',
          mondayToFriday: 'Monday to Friday',
        },
      }),
  }),
  perform: async (run, { workingDays, ...options }) => {
    requireArea(run, 'procurement');
    const { tx, actor, config } = run;
    const plan = {
      ...options,
      ...workingDaysOf[workingDays],
      structure: 'current' as const,
      projects: [],
      usesSubstitutes: true,
    };
    const { row, isNew } = await acceptOrJoinRun(tx, actor, plan, config);
    return { answer: { id: row.id, isNew }, changes: [] };
  },
});
