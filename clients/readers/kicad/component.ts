/** The components of a KiCad netlist as they stand in the file. */
import type { FileSource } from '../file-source.ts';
import { FileFault } from '../findings.ts';
import { parseXml } from '../xml/parse-xml.ts';

export interface Component {
  reference: string;
  value: string;
  footprint: string;
  fields: Record<string, string>;
  flags: Set<string>;
  /** Properties that a variant changes, by its name. */
  variants: Record<string, Record<string, string>>;
  line: number;
}

/** The name of a field as it is compared: in any case, with blanks for hyphens and underscores. */
export const plain = (name: string) => name.trim().toLowerCase().replaceAll(/[_-]+/g, ' ');

/** A field, or `value`, `footprint`, `reference` of the component itself; in any case of letters. */
export function textOf(component: Component, name: string): string {
  const wanted = name.trim().toLowerCase();
  const own = { value: component.value, footprint: component.footprint, reference: component.reference };
  if (Object.hasOwn(own, wanted)) return own[wanted as keyof typeof own];
  const found = Object.entries(component.fields).find(([field]) => field.trim().toLowerCase() === wanted);
  return found?.[1] ?? '';
}

export async function readComponents(source: FileSource): Promise<Component[]> {
  const components: Component[] = [];
  let component: Component | null = null;
  let field = '';
  let variant: string | null = null;
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
          variants: {},
          line,
        };
      }
      if (component === null) return;
      if (name === 'variant') variant = attributes.name ?? '';
      if (variant !== null && name === 'property') {
        const of = component.variants[variant] ?? {};
        component.variants[variant] = { ...of, [attributes.name ?? '']: attributes.value ?? '1' };
        return;
      }
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
      if (name === 'variant') variant = null;
      if (variant !== null) return;
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
