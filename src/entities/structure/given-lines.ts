/** The lines of a child as calls give them, in stored form. */
import { AppError } from '../../errors.ts';
import { decimalOf, type Micro, microOfNumber } from '../../quantity.ts';
import {
  lineKey,
  type SaidFields,
  type SaidLine,
  type SaidPart,
  saidOfLines,
  sortDesignators,
  sortSubstitutes,
} from '../links/link-line.ts';
import type { WantedLine } from './edit-use.ts';
import type { GivenLine } from './line.schema.ts';
import type { UseQuantity } from './structure.schema.ts';

/** Throws `quantity_out_of_range`, `validation_failed`. */
export function wantedUse({ lines, ...given }: UseQuantity, at: string | undefined): WantedLine {
  const quantity = microOf(given.quantity, '/quantity');
  if (lines === undefined) return { quantity: decimalOf(quantity), line: saidFieldsOf(given), at };
  if (at !== undefined) throw invalid('/lines', 'A call with ?line= sets one line; leave out "lines".');
  return { quantity: decimalOf(quantity), line: saidLinesOf(lines, quantity), at };
}

function saidLinesOf(lines: readonly GivenLine[], quantity: Micro): SaidLine {
  let sum = 0n;
  const keys = new Set<string>();
  const said = lines.map((line, index): SaidPart => {
    sum += microOf(line.quantity, `/lines/${index}/quantity`);
    const fields = saidFieldsOf(line);
    const key = lineKey(fields);
    if (keys.has(key))
      throw invalid(
        `/lines/${index}/findNumber`,
        `Two lines have the find number "${key}". Give each its own.`,
      );
    keys.add(key);
    return { ...fields, findNumber: key === '' ? null : key, quantity: line.quantity };
  });
  if (sum !== quantity)
    throw invalid(
      '/quantity',
      `It must be the sum of the quantities of "lines", which is ${decimalOf(sum)}.`,
    );
  return saidOfLines(said);
}

function invalid(pointer: string, message: string): AppError {
  return new AppError('validation_failed', {
    detail: message,
    errors: [{ pointer, code: 'invalid_value', message }],
  });
}

/** Returns the stored form: without blanks around texts, designators sorted and each once. */
function saidFieldsOf({ referenceDesignators, substitutes, ...texts }: GivenLine): SaidFields {
  const said: SaidFields = {};
  for (const field of ['lossPercent', 'lossFixed', 'phantom'] as const)
    if (texts[field] !== undefined) Object.assign(said, { [field]: texts[field] || null });
  if (substitutes !== undefined) {
    const sorted = sortSubstitutes(
      (substitutes ?? []).map(({ guid, rank, ratio }, index) => ({
        guid: guid.toLowerCase(),
        rank: rank ?? index + 1,
        ratio,
      })),
    );
    said.substitutes = sorted.length === 0 ? null : sorted;
  }
  for (const field of ['findNumber', 'unit', 'note'] as const) {
    const text = texts[field];
    if (text !== undefined) said[field] = text?.trim() || null;
  }
  if (referenceDesignators !== undefined) {
    const designators = (referenceDesignators ?? []).map((one) => one.trim());
    const sorted = sortDesignators(designators.filter((one) => one !== ''));
    said.referenceDesignators = sorted.length === 0 ? null : sorted;
  }
  return said;
}

/** Throws `quantity_out_of_range`. */
function microOf(quantity: number, pointer: string): Micro {
  const micro = microOfNumber(quantity);
  if (micro !== null && micro > 0n) return micro;
  throw new AppError('quantity_out_of_range', {
    detail:
      'A quantity is above 0 and has at most 9 integer and 6 fractional digits. DELETE removes a child.',
    errors: [{ pointer, code: 'quantity_out_of_range', message: 'Out of range.' }],
  });
}
