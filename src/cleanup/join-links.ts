/** Joins the links of two parts in one assembly, when one of the parts takes the place of the other. */
import {
  type LinkContent,
  type LinkLine,
  lineKey,
  linesOf,
  type PartLine,
  saidOfLines,
  sortDesignators,
} from '../entities/links/link-line.ts';
import { type Micro, microOfDecimal, microOfNumber, numberOf } from '../quantity.ts';

export interface JoinedLink {
  quantity: Micro;
  line: LinkLine | null;
  lineCount: number;
}

/**
 * Lines with different find numbers stay apart. Two lines with the same one, or without, become one line: their quantities add up, it has
 * the designators of both, and of other fields those of the part that stays. The part that stays, `by`, is no substitute for itself.
 */
export function joinLinks(
  replaced: LinkContent,
  present: LinkContent | null,
  by: { guid: string | null },
): JoinedLink {
  const quantity = microOfDecimal(String(replaced.quantity)) + microOfDecimal(String(present?.quantity ?? 0));
  const isSubstitute = linesOf(replaced).some(({ substitutes }) => names(substitutes, by.guid));
  if (present === null && !isSubstitute)
    return { quantity, line: replaced.line, lineCount: linesOf(replaced).length };
  const lines = new Map((present === null ? [] : linesOf(present)).map((line) => [lineKey(line), line]));
  for (const line of linesOf(replaced).map((one) => withoutSubstitute(one, by.guid))) {
    const other = lines.get(lineKey(line));
    lines.set(lineKey(line), other === undefined ? line : joinLines(line, other));
  }
  const said = saidOfLines([...lines.values()]) as LinkLine;
  const line = Object.keys(said).length === 0 ? null : said;
  return { quantity, line, lineCount: lines.size };
}

function names(substitutes: PartLine['substitutes'], guid: string | null): boolean {
  return substitutes?.some((one) => one.guid === guid) === true;
}

function withoutSubstitute(line: PartLine, guid: string | null): PartLine {
  const { substitutes, ...rest } = line;
  if (!names(substitutes, guid)) return line;
  const others = (substitutes ?? []).filter((one) => one.guid !== guid);
  return others.length === 0 ? rest : { ...rest, substitutes: others };
}

function joinLines(replaced: PartLine, present: PartLine): PartLine {
  const designators = sortDesignators([
    ...(present.referenceDesignators ?? []),
    ...(replaced.referenceDesignators ?? []),
  ]);
  return {
    ...replaced,
    ...present,
    ...(designators.length === 0 ? {} : { referenceDesignators: designators }),
    quantity: numberOf((microOfNumber(replaced.quantity) ?? 0n) + (microOfNumber(present.quantity) ?? 0n)),
  };
}
