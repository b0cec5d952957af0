/**
 * Reads the components of a KiCad netlist (XML, versions D and E) and groups them into parts: by the field that the definition
 * names as key, else by the number that the KiCad library gave them (IPN), else by value and footprint. Components that are
 * not fitted, or not for bills of materials, are left out and counted.
 */
import { Bom, conflictOf } from '../bom.ts';
import { bareTitle, rolesOfTitle } from '../definition/column-titles.ts';
import type { FileSource } from '../file-source.ts';
import type { Findings } from '../findings.ts';
import { isGuid } from '../guid.ts';
import { isPlaceholder } from '../placeholders.ts';
import { type Component, plain, readComponents, textOf } from './component.ts';
import { type LeaveOutOptions, noteChoices, reasonToLeaveOut } from './left-out-components.ts';

export interface NetlistOptions extends LeaveOutOptions {
  /** Names of fields: the key, the number, the name, the GUID. */
  key?: readonly string[];
  number?: string;
  name?: string;
  guid?: string;
  /** Fields that tell parts apart besides the key. */
  identity?: readonly string[];
  /** The assembly that everything is placed on. */
  root?: { key: string; name: string; category: string };
}

/** Fields that the library of this product adds to a symbol: they are the workspace's, not the part's. */
const libraryFields = new Set(['guid', 'ipn', 'on hand', 'available']);
const mpnFields =
  /^(?:mpn|manf#|mfg#|mfr#|(?:manufacturer|mfg|mfr|manf)[ ._]?(?:part)?[ ._]?(?:number|no|num|pn|p\/n|#)?\.?|part ?number|manufacturer_part_number)$/;

export async function readNetlist(
  source: FileSource,
  options: NetlistOptions,
  findings: Findings,
): Promise<Bom> {
  const components = await readComponents(source);
  const bom = new Bom();
  const { root } = options;
  if (root !== undefined) {
    const { key, name, category } = root;
    bom.addPart({ key, guid: '', number: key, name, category, properties: {}, place: {} });
  } else if (components.length > 0) {
    findings.add(
      'note',
      'no_root',
      {},
      'No assembly is named that these parts are on: only the parts are sent.',
    );
  }
  noteChoices(components, options, findings);
  const references = new Set<string>();
  const fitted: Component[] = [];
  for (const component of components) {
    const place = placeOf(component);
    const reason = reasonToLeaveOut(component, options);
    if (reason !== null) {
      const message = `${component.reference} is left out: ${reason.why}.`;
      findings.add('note', reason.code, place, message, component.reference);
      continue;
    }
    if (references.has(component.reference)) {
      const message = `${component.reference} stands there twice, and counts twice.`;
      findings.add('warning', 'reference_twice', place, message);
    }
    references.add(component.reference);
    fitted.push(component);
  }
  noteQuantities(fitted, findings);
  const keyOf = groupedBy(fitted, options, findings);
  const identities = new Map<string, { texts: string[]; component: Component }>();
  for (const component of fitted) {
    const key = keyOf(component);
    noteGuid(component, options, findings);
    if (key === '') {
      const wanted = options.key?.join(' or ') ?? 'value';
      findings.add('error', 'key_missing', placeOf(component), `${component.reference} has no ${wanted}.`);
      continue;
    }
    requireSame(key, component, options, identities);
    const other = bom.parts.get(key)?.properties.Value;
    if (other !== undefined && !isSameValue(other, component.value)) {
      const message = `${component.reference} is "${key}" by its number or GUID, and has the value "${component.value}" where others have "${other}". Give it the number of its own part.`;
      findings.add('error', 'value_differs', placeOf(component), message);
      continue;
    }
    addComponent(bom, key, component, options);
  }
  return bom;
}

function placeOf({ line, reference }: Component): { line: number; cell: string } {
  return { line, cell: reference };
}

function isSameValue(a: string, b: string): boolean {
  const plainValue = (text: string) => text.replaceAll(/\s/g, '').toLowerCase();
  return plainValue(a) === plainValue(b);
}

function noteGuid(component: Component, options: NetlistOptions, findings: Findings): void {
  const text = textOf(component, options.guid ?? 'GUID');
  if (text === '' || isGuid(text)) return;
  const severity = options.guid === undefined ? 'warning' : 'error';
  findings.add(
    severity,
    'guid_invalid',
    placeOf(component),
    `"${text}" of ${component.reference} is no GUID.`,
  );
}

/** A component of a netlist is one part: a field with another quantity is not read, and that is said. */
function noteQuantities(components: readonly Component[], findings: Findings): void {
  for (const component of components) {
    const field = Object.entries(component.fields).find(
      ([name, text]) =>
        rolesOfTitle(name).some(({ role, by }) => role === 'quantity' && by < 2) &&
        /\d/.test(text) &&
        Number(text) !== 1,
    );
    if (field === undefined) continue;
    const message = `${component.reference} has "${field[1]}" in the field "${field[0]}". It counts as 1, as every component does.`;
    findings.add('warning', 'field_quantity', placeOf(component), message);
  }
}

/** The number, and the GUID, that the library wrote on a symbol, or the fields that the definition names. */
function numberOf(component: Component, { number }: NetlistOptions): string {
  const text = textOf(component, number ?? 'IPN');
  return isPlaceholder(text) ? '' : text;
}

function guidIn(component: Component, { guid }: NetlistOptions): string {
  const text = textOf(component, guid ?? 'GUID');
  return isGuid(text) ? text : '';
}

/**
 * Components of one value and footprint are one part, unless manufacturers' numbers or GUIDs say otherwise: then those belong to
 * the key, so that different parts never become one.
 */
function groupedBy(
  components: readonly Component[],
  options: NetlistOptions,
  findings: Findings,
): (component: Component) => string {
  if (options.key !== undefined) {
    const { key } = options;
    return (component) =>
      key
        .map((name) => textOf(component, name))
        .filter(Boolean)
        .join(' ');
  }
  // A GUID of the library identifies a part whatever value its symbol shows.
  const byGuid = new Map<string, string>();
  const base = (component: Component) => {
    const guid = guidIn(component, options).toLowerCase();
    const known = guid === '' ? undefined : byGuid.get(guid);
    if (known !== undefined) return known;
    const key = numberOf(component, options) || valueAndFootprint(component);
    if (guid !== '') byGuid.set(guid, key);
    return key;
  };
  const told = (component: Component) => mpnOf(component) || guidIn(component, options).toLowerCase();
  const apart = new Map<string, (component: Component) => string>();
  for (const [key, group] of Map.groupBy(components, base)) {
    const isApart = new Set(group.map(told).filter(Boolean)).size > 1;
    const fields = numberOf(group[0] as Component, options) === '' ? differingFields(group) : [];
    if (!isApart && fields.length === 0) continue;
    const what = isApart ? "their manufacturer's part number" : fields.join(', ');
    const message = `Components "${key}" differ in ${what}: they are kept apart by it.`;
    findings.add('warning', 'kept_apart', {}, message, key);
    apart.set(key, (component) =>
      isApart ? told(component) : fields.map((name) => component.fields[name] ?? '').join(' '),
    );
  }
  return (component) => {
    const key = base(component);
    const text = apart.get(key)?.(component).trim() ?? '';
    return text === '' ? key : `${key} ${text}`;
  };
}

function valueAndFootprint({ value, footprint }: Component): string {
  if (value === '' || isPlaceholder(value)) return '';
  return [value, footprint.slice(footprint.indexOf(':') + 1)].filter(Boolean).join(' ');
}

/** The titles of fields that identify a part beside its value. */
const identifying: ReadonlySet<string> = new Set([
  'number',
  'mpn',
  'manufacturer',
  'size',
  'standard',
  'material',
  'revision',
]);
const ofSupplier =
  /digikey|mouser|lcsc|jlcpcb|farnell|supplier|vendor|distributor|lieferant|orderno|ordercode|bestellnr|bestellnummer|sku/;

/** The identifying fields in which components of one value and footprint differ. */
function differingFields(group: readonly Component[]): string[] {
  const names = new Set(group.flatMap(({ fields }) => Object.keys(fields)));
  return [...names].filter((name) => {
    const texts = group
      .map(({ fields }) => fields[name] ?? '')
      .filter((text) => text !== '' && !isPlaceholder(text));
    if (new Set(texts).size < 2 || libraryFields.has(plain(name))) return false;
    const isCode =
      ofSupplier.test(bareTitle(name)) && texts.every((text) => /\d/.test(text) && !/:\/\//.test(text));
    return isCode || rolesOfTitle(name).some(({ role, by }) => by < 3 && identifying.has(role));
  });
}

function mpnOf(component: Component): string {
  const found = Object.entries(component.fields).find(
    ([name, text]) => mpnFields.test(plain(name)) && text !== '' && !isPlaceholder(text),
  );
  // A field called Manufacturer has its name, which is no number.
  return found === undefined || /^(?:manufacturer|mfg|mfr|manf)$/.test(plain(found[0])) ? '' : found[1];
}

/** Fields that the definition names as identifying must agree within a part. */
function requireSame(
  key: string,
  component: Component,
  options: NetlistOptions,
  identities: Map<string, { texts: string[]; component: Component }>,
): void {
  const names = [...(options.identity ?? [])];
  const texts = [
    guidIn(component, options).toLowerCase(),
    numberOf(component, options),
    ...names.map((name) => textOf(component, name)),
  ];
  const known = identities.get(key);
  if (known === undefined) {
    identities.set(key, { texts, component });
    return;
  }
  const at = texts.findIndex(
    (text, field) => text !== '' && known.texts[field] !== '' && known.texts[field] !== text,
  );
  known.texts = known.texts.map((text, field) => text || (texts[field] ?? ''));
  if (at === -1) return;
  const part = (one: Component) => ({
    key,
    guid: '',
    number: key,
    name: key,
    category: '',
    properties: {},
    place: placeOf(one),
  });
  throw conflictOf(part(component), part(known.component), ['GUID', 'number', ...names][at] ?? '');
}

function addComponent(bom: Bom, key: string, component: Component, options: NetlistOptions): void {
  const { reference, value, footprint } = component;
  const field = (name: string | undefined) => (name === undefined ? '' : textOf(component, name));
  const guid = guidIn(component, options);
  const known = bom.parts.get(key);
  if (known === undefined) {
    bom.addPart({
      key,
      guid,
      number: numberOf(component, options) || key,
      name: field(options.name) || value || key,
      category: '',
      properties: {
        ...Object.fromEntries(
          Object.entries(component.fields).filter(([name]) => !libraryFields.has(plain(name))),
        ),
        Value: value,
        ...(footprint === '' ? {} : { Footprint: footprint }),
      },
      place: placeOf(component),
    });
  } else known.guid ||= guid;
  if (options.root === undefined) return;
  bom.addUse({
    parent: options.root.key,
    child: key,
    quantity: 1,
    findNumber: '',
    referenceDesignators: [reference],
    unit: '',
    note: '',
    place: placeOf(component),
  });
}
