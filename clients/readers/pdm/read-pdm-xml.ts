/**
 * What SOLIDWORKS PDM writes when a document changes its state: documents with their attributes, and below each the
 * documents it refers to, every sub-assembly in full under every parent. The children of an assembly come from its first
 * occurrence; a later one must say the same.
 */
import { Bom, describePlace, type Part, type Use } from '../bom.ts';
import type { FileSource } from '../file-source.ts';
import { FileFault, type Findings } from '../findings.ts';
import { type DecimalSign, readDecimal } from '../read-decimal.ts';
import { parseXml } from '../xml/parse-xml.ts';

export interface PdmOptions {
  /** Attributes that give number and name; without them the document's id, and the usual names. */
  number?: string;
  name?: string;
  /** Default: `Reference Count`. */
  quantity?: string;
  decimal?: DecimalSign;
  /** Tells apart what one document is in several configurations: the key is the id and the name of the configuration. */
  byConfiguration?: boolean;
}

interface OpenDocument {
  part: Part;
  quantity: number | null;
  quantityText: string;
  children: Use[];
  hasReferences: boolean;
  configurations: number;
  /** The configuration that the id was taken from, where the export says so. */
  wanted: string;
  /** Whether the configuration that is open is the one that counts: of several there is one. */
  isShown: boolean;
  wasShown: boolean;
  /** Values of the tab of the file itself, for those that the configuration leaves empty. */
  fallback: Record<string, string>;
  isInFallback: boolean;
  /** Below a configuration that does not count. */
  isIgnored: boolean;
}

const BY_CONFIGURATION =
  'Where these are different configurations, let the definition say "productKey": "id+name".';

/** PDM's name of what belongs to the file and to no configuration. */
const FILE_TAB = '@';

const usualNames = ['Description', 'Title', 'Bezeichnung', 'Name'];

export async function readPdmXml(source: FileSource, options: PdmOptions, findings: Findings): Promise<Bom> {
  const reader = new PdmReader(options, findings);
  await parseXml(source, reader);
  if (!reader.isExport) {
    throw new FileFault('not_pdm', 'This is no export of SOLIDWORKS PDM: it has no transactions.');
  }
  return reader.bom;
}

class PdmReader {
  readonly bom = new Bom();
  isExport = false;
  readonly #options: PdmOptions;
  readonly #findings: Findings;
  readonly #stack: OpenDocument[] = [];
  /** Assemblies whose children are known, with the place they stand at. */
  readonly #known = new Map<string, Part['place']>();

  constructor(options: PdmOptions, findings: Findings) {
    this.#options = options;
    this.#findings = findings;
  }

  open(
    name: string,
    attributes: Readonly<Record<string, string>>,
    path: readonly string[],
    line: number,
  ): void {
    if (name === 'transaction' && path.at(-2) === 'transactions') this.isExport = true;
    if (!this.isExport) return;
    if (name === 'document') this.#openDocument(attributes, line);
    const document = this.#stack.at(-1);
    if (document === undefined || document.isIgnored) return;
    if (name === 'configuration') this.#openConfiguration(document, attributes.name ?? '');
    if (name === 'references' && document.isShown) document.hasReferences = true;
    if (name !== 'attribute' || path.at(-2) !== 'configuration') return;
    const [attribute = '', value = ''] = [attributes.name, attributes.value];
    if (document.isShown) this.#attribute(document, attribute, value, line);
    else if (document.isInFallback && value.trim() !== '') document.fallback[attribute] = value.trim();
  }

  /** Opens a configuration. It counts if it gave the id, or else if it is the first one: quantities of several are not added. */
  #openConfiguration(document: OpenDocument, name: string): void {
    document.configurations += 1;
    const { wanted, part } = document;
    document.isShown = wanted === '' ? document.configurations === 1 : name === wanted && !document.wasShown;
    document.isInFallback = name === FILE_TAB && !document.isShown;
    if (!document.isShown) return;
    document.wasShown = true;
    if (this.#options.byConfiguration === true) part.key = `${part.key} ${name}`;
  }

  #openDocument(attributes: Readonly<Record<string, string>>, line: number): void {
    const id = (attributes.id ?? '').trim();
    const key = id || (attributes.pdmweid ?? '').trim();
    if (key === '') {
      throw new FileFault('key_missing', 'A document has neither an id nor a pdmweid.', { line });
    }
    const part: Part = {
      key,
      guid: '',
      number: key,
      name: '',
      category: '',
      properties: {},
      place: { line },
    };
    const above = this.#stack.at(-1);
    this.#stack.push({
      part,
      quantity: 1,
      quantityText: '',
      children: [],
      hasReferences: false,
      configurations: 0,
      wanted: (attributes.idcfgname ?? '').trim(),
      isShown: false,
      wasShown: false,
      fallback: {},
      isInFallback: false,
      isIgnored: above !== undefined && (above.isIgnored || (above.configurations > 0 && !above.isShown)),
    });
  }

  #attribute(document: OpenDocument, name: string, value: string, line: number): void {
    const text = value.trim();
    if (name === (this.#options.quantity ?? 'Reference Count')) {
      document.quantityText = text;
      document.quantity = readDecimal(text, this.#options.decimal ?? '.')?.value ?? null;
      return;
    }
    if (text === '' || name === '') return;
    const { part } = document;
    if (name === this.#options.number) part.number = text;
    else if (name === this.#options.name) part.name = text;
    else part.properties[name] = text;
    part.place = { line };
  }

  close(name: string): void {
    if (name !== 'document' || !this.isExport) return;
    const document = this.#stack.pop() as OpenDocument;
    if (document.isIgnored) return;
    const { part, quantity, quantityText, children, hasReferences, configurations, wasShown } = document;
    if (configurations > 0 && !wasShown) {
      const message = `"${part.key}" has no configuration "${document.wanted}", which its id is said to come from.`;
      this.#findings.add('error', 'configuration_missing', part.place, message);
      return;
    }
    part.properties = { ...document.fallback, ...part.properties };
    const usual = usualNames.find((one) => Object.hasOwn(part.properties, one));
    part.name ||= (usual === undefined ? undefined : part.properties[usual]) ?? '';
    this.#addPart(part);
    if (hasReferences) this.#noteChildren(part, children);
    const parent = this.#stack.at(-1);
    if (parent === undefined) return;
    const use: Use = {
      parent: parent.part.key,
      child: part.key,
      quantity: quantity ?? 0,
      findNumber: '',
      referenceDesignators: [],
      unit: '',
      note: '',
      place: part.place,
    };
    if (quantity === null) {
      const message = `The quantity of "${part.key}" in "${use.parent}" cannot be read: "${quantityText}".`;
      this.#findings.add('error', 'quantity_unreadable', part.place, message);
    } else if (quantity <= 0) {
      const message = `"${part.key}" is in "${use.parent}" ${quantity} times: left out.`;
      this.#findings.add('note', 'quantity_zero', part.place, message);
    } else parent.children.push(use);
  }

  /** One file may be many parts: one in each configuration. */
  #addPart(part: Part): void {
    try {
      this.bom.addPart(part);
    } catch (error) {
      if (!(error instanceof FileFault) || this.#options.byConfiguration === true) throw error;
      throw new FileFault(error.code, `${error.message} ${BY_CONFIGURATION}`, error.place);
    }
  }

  #noteChildren(part: Part, children: readonly Use[]): void {
    const first = this.#known.get(part.key);
    if (first === undefined) {
      this.#known.set(part.key, part.place);
      for (const use of children) this.bom.addUse(use);
      return;
    }
    if (!this.bom.hasSameUses(part.key, children)) {
      throw new FileFault(
        'assembly_differs',
        `The assembly "${part.key}" stands in the file twice with different children: here and at ${describePlace(first)}. ${BY_CONFIGURATION}`,
        part.place,
      );
    }
    this.#findings.add(
      'note',
      'assembly_repeated',
      part.place,
      `"${part.key}" stands here again with the same children.`,
    );
  }
}
