/** `partbook components` and `partbook build`: what a manufacturing line is built from, and a receipt that takes it. */
import { type Command, Option } from 'commander';
import { readDecimal } from '../../../readers/read-decimal.ts';
import type { ComponentsPreview, LineComponent, StockLine } from '../../../typescript/generated/types.ts';
import { Ended, exitCodes, UsageError } from '../../exit-codes.ts';
import { type Columns, measured, shown, tableText } from '../../output.ts';
import { entityId, openSession, type Session } from '../../session.ts';
import { quantityOf } from '../stock/stock-units.ts';

const consumes = ['proportional', 'none'] as const;

interface ComponentFlags {
  reserve?: boolean;
  issue?: boolean;
  plan?: boolean;
  substitute?: string[];
}

interface BuildFlags {
  consume?: (typeof consumes)[number];
  scrap?: string;
  note?: string;
  plan?: boolean;
  substitute?: string[];
}

const columns: Columns<LineComponent> = {
  item: ({ itemNumber, itemName }) => itemNumber ?? itemName,
  required: (one) => measured(one.requiredQty, one.unit),
  issued: (one) => one.issuedQty,
  reserved: (one) => one.heldQty,
  missing: (one) => one.missingQty,
  available: (one) => one.availableQty,
};

const substituteOption = () =>
  new Option(
    '--substitute <component=substitute...>',
    'take a substitute in place of a component, as much as the component lacks, or COMPONENT=SUBSTITUTE=QUANTITY; may be repeated',
  );

export function addBuilds(program: Command): void {
  const components = program
    .command('components <line>')
    .description('list the components of a manufacturing line, named by its number, id or guid:…')
    .addOption(new Option('--reserve', 'reserve all that is missing, or nothing').conflicts('issue'))
    .option('--issue', 'issue all required components, or nothing')
    .addOption(substituteOption())
    .option('--plan', 'show what would be taken without taking it')
    .action(async (line: string, { reserve, issue, plan, substitute }: ComponentFlags) => {
      const session = openSession(components);
      if (substitute !== undefined && issue !== true && reserve !== true)
        throw new UsageError('--substitute needs --reserve or --issue.');
      const id = await entityId(session, line);
      if (reserve === true || issue === true) {
        const name = issue === true ? 'issues' : 'reservations';
        const body = { dryRun: plan === true, ...(await substitutesOf(session, substitute)) };
        const moved = await session.partbook(
          `POST /stock/lines/{id}/components/${name}`,
          { id, body },
          session,
        );
        if ('shortages' in moved) return tellPlan(session, moved);
        const done = issue === true ? 'issued' : 'reserved';
        return session.output.answer(moved, () => `${takenText(moved.taken)} ${done}`);
      }
      const found = await session.partbook('GET /stock/lines/{id}/components', { id }, session);
      session.output.answer(found, () => {
        const { buildableQty, openQty, limitedBy } = found;
        const limit = limitedBy === null ? '' : `; ${limitedBy.itemNumber ?? limitedBy.itemName} limits it`;
        const sum = `${buildableQty} of ${openQty} open can be built now${limit}.`;
        return found.components.length === 0
          ? `${shown(line)} is built from nothing.`
          : `${tableText(found.components, columns)}\n${sum}`;
      });
    });

  const build = program
    .command('build <line> <quantity>')
    .description('receive units of a manufacturing line and consume their components')
    .addOption(new Option('--consume <how>', 'how the components are taken').choices(consumes))
    .option('--scrap <quantity>', 'units that were made and failed')
    .addOption(substituteOption())
    .option('--note <text>', 'the reason')
    .option('--plan', 'show what would be taken without taking it')
    .action(
      async (line: string, quantity: string, { consume, scrap, note, plan, substitute }: BuildFlags) => {
        const session = openSession(build);
        const id = await entityId(session, line);
        const body = {
          ...quantityOf(quantity),
          dryRun: plan === true,
          ...(scrap === undefined ? {} : { scrap: readAmount(scrap) }),
          ...(consume === undefined ? {} : { consume }),
          ...(note === undefined ? {} : { note }),
          ...(await substitutesOf(session, substitute)),
        };
        const made = await session.partbook('POST /stock/lines/{id}/receipts', { id, body }, session);
        if ('shortages' in made) return tellPlan(session, made);
        session.output.answer(made, () => `${stateText(made.line)}; ${takenText(made.consumed)} issued`);
      },
    );
}

/** Reads COMPONENT=SUBSTITUTE and COMPONENT=SUBSTITUTE=QUANTITY. */
async function substitutesOf(session: Session, texts: readonly string[] | undefined) {
  if (texts === undefined) return {};
  const substitutes = [];
  for (const text of texts) {
    const [component = '', substitute = '', quantity, ...rest] = text.split('=');
    if (component === '' || substitute === '' || rest.length > 0)
      throw new UsageError(`"${text}" is not COMPONENT=SUBSTITUTE or COMPONENT=SUBSTITUTE=QUANTITY.`);
    substitutes.push({
      itemEntityId: await entityId(session, component),
      substituteEntityId: await entityId(session, substitute),
      ...(quantity === undefined ? {} : quantityOf(quantity)),
    });
  }
  return { substitutes };
}

function readAmount(text: string): number {
  const amount = readDecimal(text, '.');
  if (amount === null || amount.unit !== '') throw new UsageError(`"${text}" is not a quantity.`);
  return amount.value;
}

function stateText({ itemNumber, itemName, receivedQty, quantity, state }: StockLine): string {
  return `${itemNumber ?? itemName}: ${receivedQty} of ${quantity} received, ${state}`;
}

function takenText(taken: ComponentsPreview['taken']): string {
  if (taken.length === 0) return 'no components';
  return taken
    .map(({ quantity, itemNumber, itemName, insteadOf }) => {
      const item = `${quantity} × ${itemNumber ?? itemName}`;
      return insteadOf === null ? item : `${item} instead of ${insteadOf.itemNumber ?? insteadOf.itemName}`;
    })
    .join(', ');
}

/** Ends as a plan that has changes does, or as a refusal. */
function tellPlan({ output }: Session, preview: ComponentsPreview): never {
  const { taken, shortages } = preview;
  output.answer(preview, () =>
    shortages.length === 0
      ? `would take ${takenText(taken)}`
      : `short: ${shortages.map((one) => `${one.shortQty} × ${one.itemNumber ?? one.itemName}`).join(', ')}`,
  );
  throw new Ended(shortages.length > 0 ? exitCodes.failed : exitCodes.planHasChanges);
}
