/** Shows the findings of a reader to people: errors and warnings with their places, and the others as counts. */
import { countedNotes, type Findings, placeText, solvedByRoot } from '../../readers/findings.ts';
import type { Output } from '../output.ts';

const SHOWN = 20;

export function tellFindings(output: Output, file: string, findings: Findings): void {
  const serious = findings.kept.filter(({ severity }) => severity !== 'note');
  for (const { severity, place, message } of serious.slice(0, SHOWN)) {
    output.say(`${severity}: ${placeText(file, place)}: ${message}`, severity === 'error' ? 'red' : 'yellow');
  }
  const more = findings.errors + findings.warnings - Math.min(SHOWN, serious.length);
  if (more > 0) output.say(`… and ${more} more.`);
  for (const { code, text } of countedNotes(findings))
    output.say(`${file}: ${solvedByRoot.has(code) ? `${text} (--root NUMBER)` : text}.`);
}
