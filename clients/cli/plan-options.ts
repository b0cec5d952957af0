/** Options of a planning run on the command line. */
import type { Command } from 'commander';
import type { NewPlanningRun } from '../typescript/generated/types.ts';
import { UsageError } from './exit-codes.ts';
import { shown } from './output.ts';
import { entityId, type Session } from './session.ts';
import { wholeNumber } from './take-items.ts';

export interface PlanFlags {
  days?: string;
  period?: string;
  tolerance?: string;
  workdays?: string[];
  holiday?: string[];
  released?: boolean;
  substitutes?: boolean;
  need?: string[];
  project?: string[];
  onlyItem?: string[];
  category?: string[];
  site?: string;
  whatIf?: string[];
  whatIfRevision?: string[];
  whatIfDate?: string[];
}

export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

export function planOptions(command: Command): Command {
  return command
    .option('--days <count>', 'days from today to plan (180 unless said)')
    .option('--period <count>', 'needs of an item within so many days are one order (7 unless said)')
    .option('--tolerance <count>', 'a line may be early by so many days (7 unless said)')
    .option(
      '--workdays <day...>',
      'days of the week that are worked, such as mon tue wed (those of partbook stock settings unless said)',
    )
    .option(
      '--holiday <date...>',
      'days that are not worked, such as 2026-12-24 (those of partbook stock settings unless said)',
    )
    .option('--no-substitutes', 'order what is needed even where free stock of substitutes would do')
    .option('--released', 'plan the newest released revisions instead of the structures of now')
    .option(
      '--need <project...>',
      'add needs: the whole structure of these projects, whether requirements were raised for it or not; PROJECT@DATE, or PROJECT=QUANTITY@DATE for more than one. A run that does not name a project does not know that need',
    )
    .option(
      '--project <project...>',
      'add no needs: store only actions of the items that these projects need, by requirements or --need, and of all below',
    )
    .option('--only-item <item...>', 'only actions of these items and of all below them')
    .option('--category <key...>', 'only actions of items of these categories')
    .option('--site <location>', 'only stock and order lines of this location and of all that lie in it')
    .option('--what-if <demand...>', 'plan for demand that does not exist: ITEM=QUANTITY@DATE')
    .option(
      '--what-if-revision <revision...>',
      'plan items with the structure of another revision: ITEM=NUMBER',
    )
    .option('--what-if-date <date...>', 'plan order lines and requirements with another date: NUMBER=DATE');
}

/** Returns the run that the options describe. */
export async function runOf(session: Session, flags: PlanFlags): Promise<NewPlanningRun> {
  const { days, period, tolerance, workdays, holiday, released } = flags;
  const [scope, whatIf] = [await scopeOf(session, flags), await whatIfOf(session, flags)];
  return {
    ...(days === undefined ? {} : { horizonDays: wholeNumber('--days', days) }),
    ...(period === undefined ? {} : { periodDays: wholeNumber('--period', period) }),
    ...(tolerance === undefined ? {} : { toleranceDays: wholeNumber('--tolerance', tolerance, 0) }),
    ...(workdays === undefined ? {} : { weekdays: workdays.map(weekdayOf) }),
    ...(holiday === undefined ? {} : { holidays: holiday }),
    ...(flags.substitutes === false ? { usesSubstitutes: false } : {}),
    ...(released === true ? { structure: 'released' as const } : {}),
    ...(flags.need === undefined ? {} : { projects: await projectsOf(session, flags.need) }),
    ...(Object.keys(scope).length === 0 ? {} : { scope }),
    ...(Object.keys(whatIf).length === 0 ? {} : { whatIf }),
  };
}

async function projectsOf(
  session: Session,
  texts: readonly string[],
): Promise<NonNullable<NewPlanningRun['projects']>> {
  const projects = [];
  for (const text of texts) {
    const [, named = '', requiredBy = ''] = /^(.+)@([^@]+)$/.exec(text) ?? [];
    const [, project = named, quantity = '1'] = /^(.+)=([^=]+)$/.exec(named) ?? [];
    if (project === '' || !(Number(quantity) > 0))
      throw new UsageError(`--need takes PROJECT@DATE or PROJECT=QUANTITY@DATE, not "${shown(text)}".`);
    projects.push({
      projectId: await entityId(session, project, { role: 'project' }),
      quantity: Number(quantity),
      requiredBy,
    });
  }
  return projects;
}

async function scopeOf(
  session: Session,
  { project, onlyItem, category, site }: PlanFlags,
): Promise<NonNullable<NewPlanningRun['scope']>> {
  const idsOf = (texts: readonly string[], role: 'item' | 'project') =>
    Promise.all(texts.map((text) => entityId(session, text, { role })));
  return {
    ...(project === undefined ? {} : { projects: await idsOf(project, 'project') }),
    ...(onlyItem === undefined ? {} : { items: await idsOf(onlyItem, 'item') }),
    ...(category === undefined ? {} : { categories: category }),
    ...(site === undefined ? {} : { locationEntityId: await entityId(session, site, { role: 'location' }) }),
  };
}

async function whatIfOf(
  session: Session,
  { whatIf = [], whatIfRevision = [], whatIfDate = [] }: PlanFlags,
): Promise<NonNullable<NewPlanningRun['whatIf']>> {
  const demand = [];
  for (const text of whatIf) {
    const [, item = '', quantity = '', requiredBy = ''] = /^(.+)=([^=@]+)@(.+)$/.exec(text) ?? [];
    if (item === '' || !(Number(quantity) > 0))
      throw new UsageError(`--what-if takes ITEM=QUANTITY@DATE, not "${shown(text)}".`);
    demand.push({
      itemEntityId: await entityId(session, item, { role: 'item' }),
      quantity: Number(quantity),
      requiredBy,
    });
  }
  const revisions = [];
  for (const text of whatIfRevision) {
    const [item, number] = halvesOf('--what-if-revision takes ITEM=NUMBER', text);
    const revision = wholeNumber('The number of a revision', number);
    revisions.push({ itemEntityId: await entityId(session, item, { role: 'item' }), revision });
  }
  const dates = [];
  for (const text of whatIfDate) {
    const [number, requiredBy] = halvesOf('--what-if-date takes NUMBER=DATE', text);
    dates.push({ id: await entityId(session, number), requiredBy });
  }
  return {
    ...(demand.length === 0 ? {} : { demand }),
    ...(revisions.length === 0 ? {} : { revisions }),
    ...(dates.length === 0 ? {} : { dates }),
  };
}

function halvesOf(usage: string, text: string): [string, string] {
  const [, one = '', other = ''] = /^(.+)=([^=]+)$/.exec(text) ?? [];
  if (one === '') throw new UsageError(`${usage}, not "${shown(text)}".`);
  return [one, other];
}

/** Returns the number of a weekday by its name, from 0 (Sunday). */
export function weekdayOf(text: string): number {
  const at = weekdays.indexOf(text.trim().toLowerCase().slice(0, 3));
  if (at < 0)
    throw new UsageError(`--workdays takes days of the week (${weekdays.join(' ')}), not "${shown(text)}".`);
  return at;
}
