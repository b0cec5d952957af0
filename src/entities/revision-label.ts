/** Revision labels by ASME Y14.35: letters without I, O, Q, S, X and Z, then two letters, and so on. */

const letters = 'ABCDEFGHJKLMNPRTUVWY';

/** The label of a revision number that counts from 1: A, B, … Y, AA, AB, … */
export function revisionLabel(revisionNumber: number): string {
  let label = '';
  for (let rest = revisionNumber; rest > 0; rest = Math.floor((rest - 1) / letters.length)) {
    label = letters[(rest - 1) % letters.length] + label;
  }
  return label;
}
