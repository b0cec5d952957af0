/**
 * Reads the structure of a STEP file (AP203, AP214, AP242): products, and how often one is used in another. Geometry is passed
 * over. Memory grows with the products and their uses, not with the file.
 */
import { Bom, type Part, type Use } from '../bom.ts';
import type { FileSource } from '../file-source.ts';
import { FileFault, type Findings } from '../findings.ts';
import { parseStatement, type StepStatement, type StepValue } from './parse-statement.ts';
import { isStepId, keysOf, type Product, type StepKey, withoutFolder } from './product-keys.ts';
import { readQuantities, refOf, type StepQuantity, word } from './read-quantities.ts';
import { scanStep } from './scan-step.ts';
import { stringDecoder } from './step-string.ts';

export interface StepOptions {
  key?: StepKey;
  /** The encoding of strings that are neither ASCII nor UTF-8. */
  encoding?: string;
  /** The number and name of the product that everything is in, where the file has none for it. */
  root?: { key: string; name: string };
}

const ONE: StepQuantity = { value: 1, unit: '', measure: 'COUNT_MEASURE' };

interface Usage {
  number: number;
  relating: number;
  related: number;
  name: string;
  designator: string;
  /** Number of the measure of a quantified usage. */
  measure: number | null;
}

interface Found {
  products: Map<number, Product>;
  /** Formation to product. */
  formations: Map<number, { product: number; version: string; source: string }>;
  /** Definition to formation. */
  definitions: Map<number, number>;
  usages: Usage[];
  documents: Set<number>;
}

const simpleNames = new Set([
  'PRODUCT',
  'PRODUCT_DEFINITION_FORMATION',
  'PRODUCT_DEFINITION_FORMATION_WITH_SPECIFIED_SOURCE',
  'PRODUCT_DEFINITION',
  'PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS',
  'NEXT_ASSEMBLY_USAGE_OCCURRENCE',
  'PRODUCT_RELATED_PRODUCT_CATEGORY',
]);
/** Parts of a complex statement stand in the order of their names: what is first says which families it can be of. */
const complexBeginnings = /^(?:A|C|MAKE_FROM|N|P|Q)/;

export async function readStep(source: FileSource, options: StepOptions, findings: Findings): Promise<Bom> {
  const decode = stringDecoder(options.encoding, findings);
  const found: Found = {
    products: new Map(),
    formations: new Map(),
    definitions: new Map(),
    usages: [],
    documents: new Set(),
  };
  await scanStep(
    source.read(),
    { simple: (name) => simpleNames.has(name), complex: (name) => complexBeginnings.test(name) },
    (number, body) => note(found, number, parseStatement(number, body, decode), findings),
  );
  const measures = new Set(found.usages.flatMap(({ measure }) => measure ?? []));
  const quantities = await readQuantities(source, measures);
  const parts = [...found.products.values()].filter(({ number }) => !found.documents.has(number));
  if (parts.length === 0) {
    throw new FileFault('no_products', 'There is no product in the file: it has geometry alone, or nothing.');
  }
  return assemble(found, parts, quantities, { ...options, file: baseName(source.name) }, findings);
}

/** `parts/Gear box.stp` is `Gear box`. */
function baseName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name.replace(/\.(?:stp|step|p21|stpz|zip|gz)$/i, '') || name;
}

function note(found: Found, number: number, statement: StepStatement, findings: Findings): void {
  for (const [name, values] of statement) {
    switch (name) {
      case 'PRODUCT':
        found.products.set(number, {
          number,
          id: withoutFolder(text(values[0])),
          name: text(values[1]),
          description: text(values[2]),
        });
        break;
      case 'PRODUCT_DEFINITION_FORMATION':
      case 'PRODUCT_DEFINITION_FORMATION_WITH_SPECIFIED_SOURCE': {
        const product = refOf(values[2]);
        const source = word(values[3]) ?? found.formations.get(number)?.source ?? '';
        if (product !== null) found.formations.set(number, { product, version: text(values[0]), source });
        break;
      }
      case 'PRODUCT_DEFINITION':
      case 'PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS': {
        const formation = refOf(values[2]);
        if (formation !== null) found.definitions.set(number, formation);
        break;
      }
      case 'PRODUCT_RELATED_PRODUCT_CATEGORY':
        if (text(values[0]).toLowerCase() === 'document') {
          for (const member of refsOf(values[2])) found.documents.add(member);
        }
        break;
      case 'NEXT_ASSEMBLY_USAGE_OCCURRENCE':
        noteUsage(found, number, statement, findings);
        break;
    }
  }
}

/** In a complex statement the ends stand in the part of the relationship, the designator in that of the component usage. */
function noteUsage(found: Found, number: number, statement: StepStatement, findings: Findings): void {
  const own = statement.get('NEXT_ASSEMBLY_USAGE_OCCURRENCE') ?? [];
  const ends = own.length >= 5 ? own : (statement.get('PRODUCT_DEFINITION_RELATIONSHIP') ?? []);
  const relating = refOf(ends[3]);
  const related = refOf(ends[4]);
  if (relating === null || related === null) {
    findings.add('error', 'usage_open', { statement: `#${number}` }, 'A usage names no parent or no child.');
    return;
  }
  const designator = own.length >= 6 ? own[5] : statement.get('ASSEMBLY_COMPONENT_USAGE')?.[0];
  const measure = refOf(statement.get('QUANTIFIED_ASSEMBLY_COMPONENT_USAGE')?.[0]);
  found.usages.push({
    number,
    relating,
    related,
    name: text(ends[1]),
    designator: text(designator),
    measure,
  });
}

function assemble(
  found: Found,
  parts: readonly Product[],
  quantities: ReadonlyMap<number, StepQuantity>,
  { key, root, file }: StepOptions & { file: string },
  findings: Findings,
): Bom {
  const productOf = (definition: number) =>
    found.formations.get(found.definitions.get(definition) ?? -1)?.product;
  const inOthers = new Set(found.usages.map(({ related }) => productOf(related)));
  const withChildren = new Set(found.usages.map(({ relating }) => productOf(relating)));
  const all = parts.flatMap(({ number }) => (inOthers.has(number) ? [] : number));
  const assemblies = all.filter((number) => withChildren.has(number));
  const tops = new Set(assemblies.length > 0 ? assemblies : all);
  const keys = keysOf(parts, key, { file, root: root?.key, tops }, findings);
  const versions = new Map([...found.formations.values()].map((one) => [one.product, one]));
  const bom = new Bom();
  for (const product of parts) {
    const own = keys.get(product.number) as string;
    const part = partOf(product, own, versions.get(product.number));
    if (root !== undefined && own === root.key) part.name = root.name;
    bom.addPart(part);
  }
  if (root !== undefined && !bom.parts.has(root.key)) {
    const message = `The file has an assembly of its own at the top: "${root.key}" is not used.`;
    findings.add('warning', 'root_unused', {}, message);
  }
  const structured = structuredDefinitions(found.usages, productOf, findings);
  for (const usage of found.usages) {
    const parent = productOf(usage.relating);
    const child = productOf(usage.related);
    const place = { statement: `#${usage.number}` };
    if (parent === undefined || child === undefined) {
      findings.add(
        'error',
        'usage_open',
        place,
        'A usage names a parent or a child that is not in the file.',
      );
      continue;
    }
    if (structured.get(parent) !== usage.relating) continue;
    const [parentKey, childKey] = [keys.get(parent), keys.get(child)];
    if (parentKey === undefined || childKey === undefined) continue;
    const use = usageAsUse(usage, parentKey, childKey, quantities, findings);
    if (use !== null) bom.addUse(use);
  }
  return bom;
}

function usageAsUse(
  usage: Usage,
  parent: string,
  child: string,
  quantities: ReadonlyMap<number, StepQuantity>,
  findings: Findings,
): Use | null {
  const place = { statement: `#${usage.number}` };
  const measured = usage.measure === null ? ONE : quantities.get(usage.measure);
  if (measured === undefined || measured.unit === null) {
    const what =
      measured === undefined ? '' : `: it is of the kind ${measured.measure}, and its unit is not known`;
    const message = `The quantity of "${child}" in "${parent}" cannot be read${what}.`;
    findings.add('error', measured === undefined ? 'quantity_unreadable' : 'quantity_unit', place, message);
    return null;
  }
  const { value: quantity, unit } = measured;
  if (quantity <= 0) {
    findings.add('note', 'quantity_zero', place, `"${child}" is in "${parent}" ${quantity} times: left out.`);
    return null;
  }
  const referenceDesignators = usage.designator === '' ? [] : [usage.designator];
  return { parent, child, quantity, findNumber: '', referenceDesignators, unit, note: '', place };
}

/** Finds the definition that gives the structure of each product: the first one with children, of several (design, manufacturing …). */
function structuredDefinitions(
  usages: readonly Usage[],
  productOf: (definition: number) => number | undefined,
  findings: Findings,
): ReadonlyMap<number, number> {
  const chosen = new Map<number, number>();
  const told = new Set<number>();
  for (const { relating } of usages) {
    const product = productOf(relating);
    if (product === undefined) continue;
    const first = chosen.get(product);
    if (first === undefined) chosen.set(product, relating);
    else if (first !== relating && !told.has(relating)) {
      told.add(relating);
      findings.add(
        'warning',
        'other_definition',
        { statement: `#${relating}` },
        `A product has several structures: that of #${first} is taken, this one is left out.`,
      );
    }
  }
  return chosen;
}

function partOf(
  { id, name, description, number }: Product,
  key: string,
  formation: { version: string; source: string } | undefined,
): Part {
  const properties: Record<string, string> = {};
  if (description !== '') properties.Description = description;
  if (formation !== undefined && formation.version !== '') properties.Version = formation.version;
  if (formation?.source === 'MADE' || formation?.source === 'BOUGHT') {
    properties.Source = formation.source === 'MADE' ? 'made' : 'bought';
  }
  const isId = isStepId(id);
  return {
    key,
    guid: '',
    number: isId ? id : key,
    name: isStepId(name) ? name : isId ? id : key,
    category: '',
    properties,
    place: { statement: `#${number}` },
  };
}

function text(value: StepValue | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}

function refsOf(value: StepValue | undefined): number[] {
  return Array.isArray(value) ? value.flatMap((one) => refOf(one) ?? []) : [];
}
