/**
 * Reads the components of a KiCad netlist (XML, versions D and E) and groups them into parts: by the field that the definition
 * names as key, else by the number that the KiCad library gave them (IPN), else by value and footprint. Components that are
 * not fitted, or not for bills of materials, are left out and counted.
 */
import { Bom, conflictOf } from '../bom.ts';
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
  const keyOf = groupedBy(fitted, options, findings);
  const identities = new Map<string, { texts: string[]; component: Component }>();
  for (const component of fitted) {
    const key = keyOf(component);
    if (key === '') {
      const wanted = options.key?.join(' or ') ?? 'value';
      findings.add('error', 'key_missing', placeOf(component), `${component.reference} has no ${wanted}.`);
      continue;
    }
    requireSame(key, component, options, identities);
    addComponent(bom, key, component, options);
  }
  return bom;
}

function placeOf({ line, reference }: Component): { line: number; cell: string } {
  return { line, cell: reference };
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
  const base = (component: Component) =>
    numberOf(component, options) ||
    [component.value, component.footprint.slice(component.footprint.indexOf(':') + 1)]
      .filter(Boolean)
      .join(' ');
  const told = (component: Component) => mpnOf(component) || guidIn(component, options).toLowerCase();
  const several = new Map<string, Set<string>>();
  for (const component of components) {
    const text = told(component);
    if (text === '') continue;
    const key = base(component);
    several.set(key, (several.get(key) ?? new Set()).add(text));
  }
  const apart = [...several].flatMap(([key, texts]) => (texts.size > 1 ? key : []));
  for (const key of apart) {
    const message = `Components "${key}" differ in their manufacturer's part number: they are kept apart by it.`;
    findings.add('warning', 'kept_apart', {}, message, key);
  }
  const isApart = new Set(apart);
  return (component) => {
    const key = base(component);
    return isApart.has(key) ? [key, told(component)].filter(Boolean).join(' ') : key;
  };
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
  const texts = [guidIn(component, options).toLowerCase(), ...names.map((name) => textOf(component, name))];
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
  throw conflictOf(part(component), part(known.component), at === 0 ? 'GUID' : (names[at - 1] ?? ''));
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
