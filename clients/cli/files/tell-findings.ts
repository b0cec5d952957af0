/** What a reader has to say of a file, for people: errors and warnings with their places, the rest counted. */
import { type Findings, placeText } from '../../readers/findings.ts';
import type { Output } from '../output.ts';

const SHOWN = 20;

const counted: Readonly<Record<string, string>> = {
  no_key: 'lines without a key were left out',
  excluded: 'lines were left out by rule',
  below_left_out: 'lines were left out because they are below one that is',
  quantity_zero: 'uses with quantity 0 were left out',
  assembly_repeated: 'sub-assemblies stand there again and were taken once',
  no_root: 'no assembly is named that the parts are in (--root NUMBER): only the parts are sent',
};

export function tellFindings(output: Output, file: string, findings: Findings): void {
  const serious = findings.kept.filter(({ severity }) => severity !== 'note');
  for (const { severity, place, message } of serious.slice(0, SHOWN)) {
    output.say(`${severity}: ${placeText(file, place)}: ${message}`, severity === 'error' ? 'red' : 'yellow');
  }
  const more = findings.errors + findings.warnings - Math.min(SHOWN, serious.length);
  if (more > 0) output.say(`… and ${more} more.`);
  for (const [code, text] of Object.entries(counted)) {
    const count = findings.counts[code];
    if (count !== undefined)
      output.say(code === 'no_root' ? `${file}: ${text}.` : `${file}: ${count} ${text}.`);
  }
}
