/** `partbook entities`, `tree`, `where-used`, `compare`: reading the book. */
import { type Command, Option } from 'commander';
import type {
  Assembly,
  Category,
  Entity,
  SavedView,
  TreeItem,
  Use,
} from '../../../typescript/generated/types.ts';
import { listItems, listPages } from '../../../typescript/list-items.ts';
import {
  byNumber,
  eachLine,
  findNumbersOf,
  nearestFirst,
  treeInReadingOrder,
} from '../../../typescript/reading-order.ts';
import { type ConfigurationFlags, configurationOption } from '../../configuration-option.ts';
import { IndexFilling } from '../../index-filling.ts';
import { stateMeant, viewMeant } from '../../meant-names.ts';
import { conditionsMeant, namingNear } from '../../meant-values.ts';
import { shown } from '../../output.ts';
import { entityId, openSession, type Session } from '../../session.ts';
import { type LimitFlags, limited, listFirst, wholeNumber } from '../../take-items.ts';

interface EntityFlags extends LimitFlags {
  category?: string;
  state?: string;
  archived?: boolean;
  where?: string[];
  sort?: string;
  view?: string;
}

/** Columns for further fields of lines of a structure, shown if any line has them. */
const lineColumns = {
  unit: (one: Line) => one.unit,
  'find no.': (one: Line) => findNumbersOf(one),
  designators: (one: Line) => one.referenceDesignators.join(' '),
};
type Line = Pick<TreeItem, 'unit' | 'findNumber' | 'referenceDesignators' | 'lines'>;

function saysMore({ unit, findNumber, referenceDesignators, lines }: Line): boolean {
  return unit !== null || findNumber !== null || referenceDesignators.length > 0 || lines !== undefined;
}

export function addEntities(program: Command): void {
  const entities = program
    .command('entities [text]')
    .alias('parts')
    .description('list entities with number and name (partbook entity shows all of one)')
    .option('--category <key>', 'only of this category')
    .option('--state <name>', 'only in this state')
    .option('--archived', 'only those that are archived')
    .option('--where <condition...>', 'only those that meet these conditions, such as Mass:lt:0.5')
    .option('--sort <order>', 'number, name, updatedAt or properties.KEY')
    .option('--view <view>', 'those of a saved view, by its name or id (partbook views lists them)');
  limited(entities, 50).action(
    async (
      text: string | undefined,
      { category, state: given, archived, where, sort, view, ...flags }: EntityFlags,
    ) => {
      const session = openSession(entities);
      const { partbook, output, signal } = session;
      const isOf = ({ key }: Category) => category === undefined || key === category;
      const state = given === undefined ? undefined : await stateMeant(session, given, 'entity', isOf);
      const query = {
        ...(text === undefined ? {} : { q: text }),
        ...(category === undefined ? {} : { category }),
        ...(state === undefined ? {} : { state }),
        ...(where === undefined ? {} : { where: [...(await conditionsMeant(session, where))] }),
        ...(sort === undefined ? {} : { sort: sort as 'number' }),
        ...(view === undefined ? {} : { view: await viewMeant(session, view) }),
        ...(archived === true ? { archived: 'only' as const } : {}),
      };
      const filling = new IndexFilling();
      const found = filling.over(listPages(partbook, 'GET /entities', { query }, { signal }));
      await namingNear(session, () =>
        listFirst<Entity>(
          output,
          found,
          flags,
          {
            number: (one) => one.number,
            name: (one) => one.name,
            category: (one) => one.category,
            state: (one) => one.state,
            revision: (one) => one.revision,
            guid: (one) => one.E_Guid,
          },
          noEntities(text, category, state, archived === true || where !== undefined || view !== undefined),
        ),
      );
      filling.tell(output);
    },
  );

  const views = program
    .command('views')
    .description('list saved views: your own and shared ones')
    .option('--list <list>', 'only of this list, such as entities or orders');
  limited(views, 50).action(async ({ list, ...flags }: LimitFlags & { list?: string }) => {
    const { partbook, output, signal } = openSession(views);
    const query = list === undefined ? {} : { list: list as 'entities' };
    await listFirst<SavedView>(
      output,
      listPages(partbook, 'GET /views', { query }, { signal }),
      flags,
      {
        name: (one) => one.name,
        list: (one) => one.list,
        'saved by': (one) => (one.mine ? 'you' : one.owner.name),
        shared: (one) => (one.shared ? 'yes' : 'no'),
        id: (one) => one.id,
      },
      'There are no saved views. Save one in the app, beside the filters of a list.',
    );
  });

  const show = program
    .command('entity <entity>')
    .description('show one entity, by its number, guid:… or id')
    .action(async (reference: string) => {
      const session = openSession(show);
      const entity = await session.partbook(
        'GET /entities/{id}',
        { id: await entityId(session, reference, { archived: 'true' }) },
        session,
      );
      session.output.answer(entity, () =>
        Object.entries({ ...entity, ...entity.properties })
          .filter(([, value]) => typeof value !== 'object' || value === null)
          .map(([name, value]) => `${name.padEnd(16)} ${shown(value as string)}`)
          .join('\n'),
      );
    });

  const tree = program
    .command('tree <entity>')
    .description('show the structure of an entity, with the quantity per parent and the total quantity')
    .option('--depth <levels>', 'how deep', '100')
    .addOption(configurationOption())
    .action(async (reference: string, { depth, configuration }: ConfigurationFlags & { depth: string }) => {
      const session = openSession(tree);
      const levels = wholeNumber('--depth', depth);
      const id = await entityId(session, reference, { archived: 'true' });
      const { items } = await session.partbook(
        'GET /entities/{id}/tree',
        { id, query: { depth: levels, configuration } },
        session,
      );
      // For people only: the paths in JSON count in the order of the answer.
      const shownItems = session.output.form === 'text' ? treeInReadingOrder(eachLine(items)) : items;
      await session.output.list<TreeItem>(
        shownItems,
        {
          number: ({ level, number, name }) => `${'  '.repeat(level)}${number ?? name}`,
          name: (one) => one.name,
          revision: (one) => one.revision,
          ...(configuration === 'current' ? {} : { 'revision is': (one: TreeItem) => one.revisionSource }),
          quantity: (one) => one.quantity,
          'total quantity': (one) => one.extendedQuantity,
          ...(items.some(saysMore) ? lineColumns : {}),
        },
        `${shown(reference)} has no children.`,
      );
    });

  addWhereUsed(program);

  const compare = program
    .command('compare <entity> <from> <to>')
    .description('compare two revisions, named by their numbers')
    .addOption(configurationOption())
    .action(async (reference: string, from: string, to: string, { configuration }: ConfigurationFlags) => {
      const session = openSession(compare);
      const id = await entityId(session, reference, { archived: 'true' });
      const query = { from: wholeNumber('from', from), to: wholeNumber('to', to), configuration };
      const changes = await session.partbook('GET /entities/{id}/revisions/compare', { id, query }, session);
      session.output.answer(changes, () => {
        const { fields, properties, structure } = changes;
        const named = ({ number, name }: { number: string | null; name: string }) => shown(number ?? name);
        const lines = [
          ...fields.map((one) => `~ ${one.field}: ${shown(one.from)} → ${shown(one.to)}`),
          ...properties.map((one) => `~ ${shown(one.property)}: ${shown(one.from)} → ${shown(one.to)}`),
          ...structure.added.map((one) => `+ ${named(one)} × ${one.quantity}`),
          ...structure.removed.map((one) => `- ${named(one)} × ${one.quantity}`),
          ...structure.quantity.map((one) => `~ ${named(one)}: ${one.from} → ${one.to}`),
          ...structure.revisions.map(
            (one) => `~ ${named(one)} revision: ${one.from ?? 'not known'} → ${one.to ?? 'not known'}`,
          ),
          ...structure.lines.flatMap((one) =>
            one.changes.map(
              ({ line, field, from, to }) =>
                `~ ${named(one)}${line === undefined ? '' : ` line ${shown(line) || '–'}`} ${field}: ${shown([from ?? []].flat().join(' '))} → ${shown([to ?? []].flat().join(' '))}`,
            ),
          ),
        ];
        return lines.length === 0 ? 'Nothing differs.' : lines.join('\n');
      });
    });
}

function noEntities(
  text: string | undefined,
  category: string | undefined,
  state: string | undefined,
  isNarrowed: boolean,
): string {
  const ofThose = [
    ...(category === undefined ? [] : [` of the category "${shown(category)}"`]),
    ...(state === undefined ? [] : [` in the state "${shown(state)}"`]),
  ].join('');
  const number = /^number:(?<given>.*\S.*)$/.exec(text ?? '')?.groups?.given;
  if (number !== undefined) return `No entity${ofThose} has the number "${shown(number.trim())}".`;
  if (text !== undefined) return `No entity${ofThose} has "${shown(text)}" in its number or name.`;
  if (isNarrowed) return `No entity${ofThose} meets the conditions.`;
  return ofThose !== ''
    ? `There is no entity${ofThose}.`
    : 'The workspace has no entities yet: "partbook sync FILE" sends some.';
}

interface WhereUsedFlags {
  all?: boolean;
  top?: boolean;
  revisions: 'current' | 'released' | 'all';
}

function addWhereUsed(program: Command): void {
  const whereUsed = program
    .command('where-used <entity>')
    .description('list the assemblies that contain an entity, at one level or at all levels')
    .option('--all', 'all levels: each assembly once, with the total quantity')
    .option('--top', 'only assemblies at the top')
    .addOption(
      new Option('--revisions <which>', 'the current revisions, the newest released ones, or both')
        .choices(['current', 'released', 'all'])
        .default('current'),
    )
    .action(async (reference: string, { all, top, revisions }: WhereUsedFlags) => {
      const session = openSession(whereUsed);
      const { partbook, output } = session;
      const id = await entityId(session, reference, { archived: 'true' });
      const none = `No assembly contains ${shown(reference)}.`;
      if (all !== true && top !== true) {
        const parents = await Array.fromAsync(
          listItems(partbook, 'GET /entities/{id}/where-used', { id, query: { revisions } }, session),
        );
        await output.list<Use>(
          output.form === 'text' ? byNumber(parents) : parents,
          {
            number: (one) => one.number,
            name: (one) => one.name,
            revision: (one) => one.revision,
            quantity: (one) => one.quantity,
            ...(parents.some(saysMore) ? lineColumns : {}),
          },
          none,
        );
        return tellWaiting(session, reference, id);
      }
      const query = { revisions, ...(top === true ? { top: 'true' as const } : {}) };
      const { items } = await partbook('GET /entities/{id}/where-used/all', { id, query }, session);
      await output.list<Assembly>(
        output.form === 'text' ? nearestFirst(items) : items,
        {
          number: (one) => one.number,
          name: (one) => one.name,
          revision: (one) => one.revision,
          level: (one) => one.level,
          'total quantity': (one) => one.extendedQuantity,
        },
        none,
      );
      await tellWaiting(session, reference, id);
    });
}

/** Says that an assembly is awaited: it was refused, or its GUID was wrong. */
async function tellWaiting({ partbook, output, signal }: Session, reference: string, id: string) {
  if (output.form !== 'text') return;
  const query = { child: id };
  for await (const _ of listItems(partbook, 'GET /pending-links', { query }, { signal, pageItems: 1 })) {
    // As it can be typed: a number may have spaces in it.
    const typed = /^[\w.:-]+$/.test(reference) ? reference : id;
    output.say(
      `${shown(reference)} waits for a parent that is not there: "partbook pending-links list --child ${typed}" shows for which.`,
      'yellow',
    );
    return;
  }
}
