/** `partbook merge`: one of two entities that are the same part stays. */
import type { Command } from 'commander';
import { countOf } from '../../count-of.ts';
import { entityId, openSession } from '../../session.ts';

interface MergeFlags {
  reason?: string;
  apply?: boolean;
}

export function addMerge(program: Command): void {
  const merge = program
    .command('merge <into> <from>')
    .description(
      'show what merging <from> into <into> would change; with --apply merge them (number, guid:… or id)',
    )
    .option('--reason <text>', 'the reason for the history of both')
    .option('--apply', 'merge them; otherwise only show what would change');
  merge.action(async (into: string, from: string, flags: MergeFlags) => {
    const session = openSession(merge);
    const id = await entityId(session, into);
    const body = {
      // An archived duplicate is merged like any other.
      from: await entityId(session, from, { archived: 'true' }),
      dryRun: flags.apply !== true,
      ...(flags.reason === undefined ? {} : { reason: flags.reason }),
    };
    const answer = await session.partbook('POST /entities/{id}/merge', { id, body }, session);
    const {
      dryRun,
      reasons,
      aliases,
      parents,
      children,
      lines,
      requirements,
      supplierParts,
      planning,
      forecasts = 0,
      pendingLinks,
      stock,
    } = answer;
    const counts: readonly (readonly [number, string, string?])[] = [
      [parents.count, 'assembly', 'assemblies'],
      [children.moved, 'child', 'children'],
      [pendingLinks, 'link that waits', 'links that wait'],
      [lines, 'open order line'],
      [requirements, 'open requirement'],
      [supplierParts, 'supplier part'],
      [planning === 'moved' ? 1 : 0, 'planning'],
      [forecasts, 'forecast'],
      [stock.positions, 'location with stock', 'locations with stock'],
    ];
    const moves = counts
      .filter(([count]) => count > 0)
      .map(([count, one, more]) => countOf(count, one, more));
    session.output.answer(answer, () =>
      [
        ...reasons.map(({ message }) => `Refused: ${message}`),
        ...parents.examples.map(
          ({ number, entityId: parent, name, quantity, quantityAfter, revised }) =>
            `${number ?? parent} ${name}: ${quantity}${quantity === quantityAfter ? '' : ` (${quantityAfter} with those it uses already)`}${revised ? ', new revision' : ''}`,
        ),
        ...(parents.count > parents.examples.length
          ? [`… and ${parents.count - parents.examples.length} more`]
          : []),
        `${dryRun ? 'Would move' : 'Moved'}: ${moves.join(', ') || 'nothing'}.`,
        ...(stock.positions === 0
          ? []
          : [`Stock: ${stock.onHand} on hand, ${stock.reserved} reserved, ${stock.onOrder} on order.`]),
        ...(children.left === 0
          ? []
          : [`${countOf(children.left, 'child', 'children')} of ${from} left as history.`]),
        ...(planning === 'left' ? [`The planning of ${from} is left: ${into} has its own.`] : []),
        ...(aliases.number === null
          ? []
          : [`${aliases.number} ${dryRun ? 'would lead' : 'leads'} to ${into}.`]),
        ...(dryRun && reasons.length === 0 ? ['Add --apply to merge them.'] : []),
      ].join('\n'),
    );
  });
}
