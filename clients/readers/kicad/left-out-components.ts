/** Decides which components of a netlist are left out: not fitted, not for bills of materials, or of another variant. */
import { rolesOfTitle } from '../definition/column-titles.ts';
import { FileFault, type Findings } from '../findings.ts';
import { meansNotFitted, saysNotFitted } from '../not-fitted.ts';
import { saysNo } from '../table/read-value.ts';
import { type Component, plain, textOf } from './component.ts';

export interface LeaveOutOptions {
  /** Rules by which components are left out. */
  exclude?: readonly {
    column: string;
    values?: readonly string[] | undefined;
    says?: 'yes' | 'no' | 'notFitted' | undefined;
  }[];
  keepsNotFitted?: boolean;
  /** The variant of the board. */
  variant?: string;
}

/** Flags of version E on the component itself. */
const leftOutFlags = ['dnp', 'exclude_from_bom'];
/** A field with which some boards keep components out of lists; it is the designer's own, so it is named and not obeyed. */
const excludingField = /^exclude(?:d)? ?from ?bom$/;
/** Reports fields and variants that somebody may want to be obeyed. */
export function noteChoices(
  components: readonly Component[],
  options: LeaveOutOptions,
  findings: Findings,
): void {
  noteVariants(components, options, findings);
  noteExcludingFields(components, options, findings);
}

function noteExcludingFields(
  components: readonly Component[],
  { exclude = [] }: LeaveOutOptions,
  findings: Findings,
): void {
  const counts = new Map<string, number>();
  for (const { fields } of components) {
    for (const [name, text] of Object.entries(fields)) {
      if (excludingField.test(plain(name)) && !isNo(text)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  for (const [name, count] of counts) {
    if (exclude.some(({ column }) => plain(column) === plain(name))) continue;
    const message = `${count === 1 ? '1 component says' : `${count} components say`} yes in the field "${name}" and ${count === 1 ? 'is' : 'are'} read. A definition with "exclude": [{ "column": "${name}" }] leaves them out.`;
    findings.add('warning', 'field_excludes', {}, message);
  }
}

/** Variants that the netlist speaks of; without a choice the board is read as it is drawn. */
function noteVariants(
  components: readonly Component[],
  { variant }: LeaveOutOptions,
  findings: Findings,
): void {
  const names = new Set(
    components.flatMap((component) => [
      ...Object.keys(component.variants),
      ...Object.keys(component.fields).flatMap(
        (name) => /^kicost\.(.+?):(?:dnp|nopop)$/i.exec(name)?.[1] ?? [],
      ),
      ...configWords(component).flatMap((word) => /^[+-](.+)$/.exec(word)?.[1] ?? []),
    ]),
  );
  if (names.size === 0) return;
  const list = [...names].slice(0, 10).join(', ');
  if (variant === undefined) {
    const message = `The board has variants: ${list}. It is read as it is drawn; --variant NAME reads one of them.`;
    findings.add('warning', 'variants', {}, message);
  } else if (![...names].some((name) => plain(name) === plain(variant))) {
    throw new FileFault(
      'variant_unknown',
      `There is no variant "${variant}" in the netlist; there are ${list}.`,
    );
  }
}

/** The words of KiBoM's field Config: `DNF`, `+PRODUCTION`, `-TEST`. */
function configWords(component: Component): string[] {
  return textOf(component, 'Config')
    .split(/[\s,]+/)
    .filter((word) => word !== '');
}

type Reason = { code: 'excluded' | 'not_fitted' | 'other_variant'; why: string };

export function reasonToLeaveOut(component: Component, options: LeaveOutOptions): Reason | null {
  if (component.reference.startsWith('#')) {
    return { code: 'excluded', why: 'it is a symbol of the schematic alone' };
  }
  const { exclude = [] } = options;
  const rule = exclude.find(({ column, values, says = 'yes' }) => {
    const text = textOf(component, column).trim();
    if (values !== undefined) return values.some((one) => one.toLowerCase() === text.toLowerCase());
    if (says === 'yes') return !isNo(text);
    return says === 'no' ? text !== '' && (isNo(text) || meansNotFitted(text)) : meansNotFitted(text);
  });
  if (rule !== undefined) {
    const why = `${rule.column} is "${textOf(component, rule.column)}"`;
    return { code: rule.values === undefined ? 'not_fitted' : 'excluded', why };
  }
  const ofVariant = reasonByVariant(component, options);
  if (ofVariant !== undefined) return ofVariant;
  const flag = leftOutFlags.find((name) => component.flags.has(name));
  if (flag !== undefined) return { code: 'not_fitted', why: flag };
  if (options.keepsNotFitted === true) return null;
  if (meansNotFitted(component.value))
    return { code: 'not_fitted', why: `its value is "${component.value}"` };
  const field = Object.entries(component.fields).find(([name, text]) => {
    const own = plain(name);
    // A colon sets off the name of a variant: `kicost.test:dnp`.
    const isSpecial = excludingField.test(own) || name.includes(':');
    const roles = isSpecial ? [] : rolesOfTitle(name).filter(({ by }) => by < 3);
    if (roles.some(({ role }) => role === 'notFitted')) return !isNo(text);
    if (roles.some(({ role }) => role === 'fitted'))
      return text !== '' && (isNo(text) || meansNotFitted(text));
    if (own === 'config') return configWords(component).some((word) => /^dn[fci]$|^dnp$/i.test(word));
    return saysNotFitted(text);
  });
  return field === undefined ? null : { code: 'not_fitted', why: `${field[0]} is "${field[1]}"` };
}

/** Undefined where no variant says anything about the component; null where the chosen one has it fitted. */
function reasonByVariant(component: Component, { variant }: LeaveOutOptions): Reason | null | undefined {
  if (variant === undefined) return undefined;
  const wanted = plain(variant);
  const changes = Object.entries(component.variants).find(([name]) => plain(name) === wanted)?.[1] ?? {};
  for (const flag of leftOutFlags) {
    const value = changes[flag];
    if (value === undefined) continue;
    if (!isNo(value)) return { code: 'other_variant', why: `${flag} in the variant ${variant}` };
    component.flags.delete(flag);
  }
  const kicost = Object.entries(component.fields).find(
    ([name]) => /^kicost\./i.test(name) && plain(name.replace(/^kicost\.(.+?):.*$/i, '$1')) === wanted,
  );
  if (kicost !== undefined) {
    return isNo(kicost[1]) ? null : { code: 'other_variant', why: `${kicost[0]} is "${kicost[1]}"` };
  }
  const words = configWords(component);
  if (words.some((word) => plain(word.slice(1)) === wanted && word.startsWith('-'))) {
    return { code: 'other_variant', why: `Config is "${words.join(' ')}"` };
  }
  const only = words.filter((word) => word.startsWith('+'));
  if (only.length > 0 && !only.some((word) => plain(word.slice(1)) === wanted)) {
    return { code: 'other_variant', why: `Config is "${words.join(' ')}"` };
  }
  return undefined;
}

function isNo(text: string): boolean {
  return saysNo(text) || /^[~-]$/.test(text.trim());
}
