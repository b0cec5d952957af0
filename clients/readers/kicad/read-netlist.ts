/**
 * The components of a KiCad netlist (XML, versions D and E), grouped into parts: by the field that the definition names as
 * key, else by value and footprint. What is not to be fitted, or not for bills of materials, is left out and counted.
 */
import { Bom } from '../bom.ts';
import type { FileSource } from '../file-source.ts';
import { FileFault, type Findings } from '../findings.ts';
import { parseXml } from '../xml/parse-xml.ts';

export interface NetlistOptions {
  /** Names of fields: what tells parts apart, and what gives number and name. */
  key?: string;
  number?: string;
  name?: string;
  /** A component is left out where the field has one of the values; any value that is no "no" where none is named. */
  exclude?: readonly { column: string; values?: readonly string[] }[];
  /** What everything is placed on. */
  root?: { key: string; name: string; category: string };
}

interface Component {
  reference: string;
  value: string;
  footprint: string;
  fields: Record<string, string>;
  flags: Set<string>;
  line: number;
}

const no = /^(?:|0|0\.0|no|false|n|~|-)$/i;
/** What version E says of a component itself. */
const leftOutFlags = ['dnp', 'exclude_from_bom'];

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
  const references = new Set<string>();
  for (const component of components) {
    const place = { line: component.line, cell: component.reference };
    const why = reasonToLeaveOut(component, options);
    if (why !== null) {
      findings.add('note', 'excluded', place, `${component.reference} is left out: ${why}.`);
      continue;
    }
    if (references.has(component.reference)) {
      const message = `${component.reference} stands there twice, and counts twice.`;
      findings.add('warning', 'reference_twice', place, message);
    }
    references.add(component.reference);
    addComponent(bom, component, options, findings);
  }
  return bom;
}

function addComponent(bom: Bom, component: Component, options: NetlistOptions, findings: Findings): void {
  const { reference, value, footprint, line } = component;
  const place = { line, cell: reference };
  const field = (name: string | undefined) => (name === undefined ? '' : textOf(component, name));
  const shortFootprint = footprint.slice(footprint.indexOf(':') + 1);
  const key =
    options.key === undefined ? [value, shortFootprint].filter(Boolean).join(' ') : field(options.key);
  if (key === '') {
    findings.add('error', 'key_missing', place, `${reference} has no ${options.key ?? 'value'}.`);
    return;
  }
  if (!bom.parts.has(key)) {
    bom.addPart({
      key,
      guid: '',
      number: field(options.number) || key,
      name: field(options.name) || value || key,
      category: '',
      properties: {
        ...component.fields,
        Value: value,
        ...(footprint === '' ? {} : { Footprint: footprint }),
      },
      place,
    });
  }
  if (options.root === undefined) return;
  bom.addUse({
    parent: options.root.key,
    child: key,
    quantity: 1,
    findNumber: '',
    referenceDesignators: [reference],
    unit: '',
    note: '',
    place,
  });
}

function reasonToLeaveOut(component: Component, { exclude = [] }: NetlistOptions): string | null {
  if (component.reference.startsWith('#')) return 'it is a symbol of the schematic alone';
  const flag = leftOutFlags.find((name) => component.flags.has(name));
  if (flag !== undefined) return flag;
  const rule = [{ column: 'dnp' }, ...exclude].find(({ column, ...rest }) => {
    const value = textOf(component, column).trim();
    const { values } = rest as { values?: readonly string[] };
    return values === undefined ? !no.test(value) : values.includes(value);
  });
  return rule === undefined ? null : `${rule.column} is "${textOf(component, rule.column)}"`;
}

/** A field, or `value`, `footprint`, `reference` of the component itself; in any case of letters. */
function textOf(component: Component, name: string): string {
  const wanted = name.trim().toLowerCase();
  const own = { value: component.value, footprint: component.footprint, reference: component.reference };
  if (Object.hasOwn(own, wanted)) return own[wanted as keyof typeof own];
  const found = Object.entries(component.fields).find(([field]) => field.trim().toLowerCase() === wanted);
  return found?.[1] ?? '';
}

async function readComponents(source: FileSource): Promise<Component[]> {
  const components: Component[] = [];
  let component: Component | null = null;
  let field = '';
  let isNetlist = false;
  await parseXml(source, {
    open(name, attributes, path, line) {
      if (path.length === 1) isNetlist = name === 'export';
      if (name === 'comp' && path.at(-2) === 'components') {
        component = {
          reference: attributes.ref ?? '',
          value: '',
          footprint: '',
          fields: {},
          flags: new Set(),
          line,
        };
      }
      if (component === null) return;
      if (name === 'field') field = attributes.name ?? '';
      // A part's own fields stand there as properties too; the component's fields are the ones that were filled in.
      if (name === 'property' && path.at(-2) === 'comp' && attributes.name !== undefined) {
        if (attributes.value === undefined) component.flags.add(attributes.name);
        else if (!Object.hasOwn(component.fields, attributes.name) && attributes.value !== '') {
          component.fields[attributes.name] = attributes.value;
        }
      }
      const description = name === 'libsource' ? attributes.description : undefined;
      if (description !== undefined && description !== '') component.fields.Description ??= description;
    },
    close(name, text, path) {
      if (component === null) return;
      const parent = path.at(-2);
      const trimmed = text.trim();
      if (name === 'comp') {
        components.push(component);
        component = null;
      } else if (name === 'field' && field !== '' && trimmed !== '') component.fields[field] = trimmed;
      else if (parent !== 'comp' || trimmed === '') return;
      else if (name === 'value') component.value = trimmed;
      else if (name === 'footprint') component.footprint = trimmed;
      else if (name === 'datasheet' && trimmed !== '~') component.fields.Datasheet = trimmed;
      else if (name === 'description') component.fields.Description = trimmed;
    },
  });
  if (!isNetlist) throw new FileFault('not_netlist', 'This is no KiCad netlist: its root is not "export".');
  return components;
}
