/**
 * The structure of an AP242 business object model (.stpx, ISO 10303-3001): parts, and the occurrences that their views
 * are made of. An occurrence stands in the view of the part that it is of; the view of the assembly refers to it.
 */
import { Bom, type Part } from '../bom.ts';
import type { FileSource } from '../file-source.ts';
import { FileFault, type Findings } from '../findings.ts';
import { parseXml } from './parse-xml.ts';

interface OpenPart extends Part {
  version: string;
}

interface Relation {
  parent: string;
  occurrence: string;
  designator: string;
  line: number;
}

export async function readStpx(source: FileSource, findings: Findings): Promise<Bom> {
  const reader = new StpxReader();
  await parseXml(source, reader);
  return reader.bom(findings);
}

class StpxReader {
  readonly #parts: OpenPart[] = [];
  /** Occurrence to the uid of its part, and how many it stands for. */
  readonly #occurrences = new Map<string, { part: string; quantity: number | null; id: string }>();
  readonly #relations: Relation[] = [];
  #part: OpenPart | null = null;
  #partUid = '';
  #occurrence: { part: string; quantity: number | null; id: string } | null = null;
  #relation: Relation | null = null;
  #isModel = false;

  open(
    name: string,
    attributes: Readonly<Record<string, string>>,
    path: readonly string[],
    line: number,
  ): void {
    const parent = path.at(-2);
    const uid = attributes.uid ?? '';
    if (path.length === 1) this.#isModel = name === 'Uos';
    if (name === 'Part' && parent === 'DataContainer') {
      this.#part = {
        key: '',
        guid: '',
        number: '',
        name: '',
        category: '',
        version: '',
        properties: {},
        place: { line },
      };
      this.#partUid = uid;
    } else if (name === 'Occurrence' && this.#part !== null && parent === 'PartView') {
      this.#occurrence = { part: this.#partUid, quantity: 1, id: '' };
      if (/QuantifiedOccurrence$/.test(typeIn(attributes) ?? '')) this.#occurrence.quantity = null;
      this.#occurrences.set(uid, this.#occurrence);
    } else if (name === 'ViewOccurrenceRelationship') {
      const isUsage = /(?:^|:)(?:NextAssembly\w*|AssemblyOccurrence\w*)$/.test(
        typeIn(attributes) ?? 'NextAssembly',
      );
      if (isUsage) this.#relation = { parent: this.#partUid, occurrence: '', designator: '', line };
    } else if (name === 'Related' && parent === 'ViewOccurrenceRelationship' && this.#relation !== null) {
      this.#relation.occurrence = attributes.uidRef ?? '';
    } else if (name === 'Id' || name === 'Identifier') {
      this.#noteId(attributes.id ?? '', path);
    }
  }

  /** `<Id id="…">`, and `<Id><Identifier id="…">` where there are several of them. */
  #noteId(id: string, path: readonly string[]): void {
    const owner = path.findLast((name) => name !== 'Id' && name !== 'Identifier');
    const text = id.trim();
    if (text === '' || this.#part === null) return;
    if (owner === 'Part') this.#part.number ||= text;
    if (owner === 'PartVersion') this.#part.version ||= text;
    if (owner === 'Occurrence' && this.#occurrence !== null) this.#occurrence.id ||= text;
  }

  close(name: string, text: string, path: readonly string[]): void {
    const trimmed = text.trim();
    if (name === 'Part' && this.#part !== null) {
      this.#parts.push(this.#part);
      this.#part.key = this.#partUid;
      this.#part = null;
    } else if (name === 'Occurrence') {
      this.#occurrence = null;
    } else if (name === 'ViewOccurrenceRelationship') {
      if (this.#relation !== null) this.#relations.push(this.#relation);
      this.#relation = null;
    } else if (this.#part !== null && trimmed !== '') {
      this.#noteText(name, trimmed, path);
    }
  }

  #noteText(name: string, text: string, path: readonly string[]): void {
    const part = this.#part as OpenPart;
    const around = path.slice(path.lastIndexOf('Part') + 1);
    if (around[0] === 'Name') part.name ||= text;
    if (around[0] === 'Description') part.properties.Description ??= text;
    const isQuantity = this.#occurrence !== null && around.includes('Quantity') && /Value/.test(name);
    if (isQuantity && this.#occurrence !== null) {
      const quantity = Number(text);
      if (Number.isFinite(quantity)) this.#occurrence.quantity = quantity;
    }
    if (name === 'ReferenceDesignator' && this.#relation !== null) this.#relation.designator = text;
  }

  bom(findings: Findings): Bom {
    if (!this.#isModel) {
      throw new FileFault('not_stpx', 'This is no AP242 business object model: its root is not Uos.');
    }
    const bom = new Bom();
    const keys = this.#keys();
    for (const { version, ...part } of this.#parts) {
      const key = keys.get(part.key) as string;
      bom.addPart({
        ...part,
        key,
        number: part.number || key,
        name: part.name || part.number || key,
        properties: { ...part.properties, ...(version === '' ? {} : { Version: version }) },
      });
    }
    for (const { parent, occurrence, designator, line } of this.#relations) {
      const used = this.#occurrences.get(occurrence);
      const [parentKey, childKey] = [keys.get(parent), keys.get(used?.part ?? '')];
      const place = { line };
      if (used === undefined || parentKey === undefined || childKey === undefined) {
        findings.add(
          'error',
          'usage_open',
          place,
          `A usage names the occurrence "${occurrence}", which is not in the file.`,
        );
      } else if (used.quantity === null) {
        findings.add(
          'error',
          'quantity_unreadable',
          place,
          `The quantity of "${childKey}" in "${parentKey}" cannot be read.`,
        );
      } else if (used.quantity <= 0) {
        findings.add(
          'note',
          'quantity_zero',
          place,
          `"${childKey}" is in "${parentKey}" ${used.quantity} times: left out.`,
        );
      } else {
        const referenceDesignators = designator === '' ? [] : [designator];
        const { quantity } = used;
        bom.addUse({
          parent: parentKey,
          child: childKey,
          quantity,
          findNumber: '',
          referenceDesignators,
          unit: '',
          note: '',
          place,
        });
      }
    }
    return bom;
  }

  /** By id where no two parts have the same, else by id and name. Never by uid: the next export has others. */
  #keys(): ReadonlyMap<string, string> {
    const choices = [
      (part: OpenPart) => part.number,
      (part: OpenPart) => [part.number, part.name].filter(Boolean).join(' '),
    ];
    for (const choice of choices) {
      const keys = this.#parts.map(choice);
      if (keys.every((key) => key !== '') && new Set(keys).size === keys.length) {
        return new Map(this.#parts.map((part, at) => [part.key, keys[at] as string]));
      }
    }
    throw new FileFault('key_not_unique', 'Two parts of the file have the same id and the same name.');
  }
}

/** Whatever prefix the file gives the namespace of schema instances. */
function typeIn(attributes: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(attributes).find(([name]) => /:type$/.test(name))?.[1];
}
