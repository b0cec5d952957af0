/** Reads a file by a definition into elements of a sync, one at a time. */
import type { Bom } from './bom.ts';
import { decodeText } from './csv/decode-text.ts';
import { guessDelimiter, splitCsv } from './csv/split-csv.ts';
import { withoutGuards } from './csv/text-guards.ts';
import { NO_QUANTITIES } from './definition/column-titles.ts';
import type { ImportDefinition } from './definition/import-definition.schema.ts';
import { otherSheet } from './definition/suggest-for-file.ts';
import { detectFormat, type FileFormat, isTable } from './detect-format.ts';
import { type Element, elementsOf, type OnMadeGuid } from './element.ts';
import type { FileSource } from './file-source.ts';
import { FileFault, Findings } from './findings.ts';
import { readNetlist } from './kicad/read-netlist.ts';
import { readPdmXml } from './pdm/read-pdm-xml.ts';
import { roundQuantity } from './read-decimal.ts';
import { ParentTotals, type ReadingTotals } from './reading-totals.ts';
import { readStep } from './step/read-step.ts';
import { columnsOf, HeaderFinder, numberedColumnsOf } from './table/header.ts';
import { TableMapper } from './table/map-table.ts';
import { LineReader } from './table/read-line.ts';
import { openSpreadsheet } from './xlsx/read-ods.ts';
import { openWorkbook, type Sheet, type SheetRow } from './xlsx/read-workbook.ts';
import { readStpx } from './xml/read-stpx.ts';

export interface Reading {
  format: FileFormat;
  findings: Findings;
  /** Filled while elements are read. */
  totals: ReadingTotals;
  /** Set for text that is not UTF-8. */
  encoding: string | null;
  elements(): AsyncGenerator<Element>;
}

export interface ReadingOptions {
  /** Is called with each GUID that is made for a key, and answers the GUID to use: for callers that know some parts by other GUIDs. */
  onMadeGuid?: OnMadeGuid;
  /** Whether the workspace has a part of that key: then a parent without a line of its own is linked, and not written. */
  isKnown?: (key: string) => boolean;
}

/** JSON and NDJSON are elements already and are not read here. */
export async function openReading(
  file: FileSource,
  definition: ImportDefinition,
  options: ReadingOptions = {},
): Promise<Reading> {
  const { format, source } = await detectFormat(file);
  const reading: Reading = {
    format,
    findings: new Findings(),
    totals: { elements: 0, parts: 0, links: 0, uses: 0, quantities: null, parents: [], parentCount: 0 },
    encoding: null,
    elements: async function* () {
      const parents = new ParentTotals();
      for await (const element of elementsIn(source, definition, reading, options)) {
        reading.totals.elements += 1;
        if (element.parentGuid !== null) {
          reading.totals.links += 1;
          reading.totals.uses += element.quantity ?? 1;
        }
        parents.add(element);
        yield element;
      }
      reading.totals.uses = roundQuantity(reading.totals.uses);
      Object.assign(reading.totals, parents.shown());
    },
  };
  return reading;
}

async function* elementsIn(
  source: FileSource,
  definition: ImportDefinition,
  reading: Reading,
  options: ReadingOptions,
): AsyncGenerator<Element> {
  const { format, findings } = reading;
  if (format === 'json' || format === 'ndjson') {
    throw new FileFault('already_elements', 'JSON holds elements already: it is sent as it stands.');
  }
  if (isTable(format)) {
    const table =
      format === 'csv'
        ? await csvTable(source, definition, reading)
        : workbookTable(
            () => (format === 'ods' ? openSpreadsheet(source) : openWorkbook(source)),
            definition,
          );
    yield* mapTable(table, definition, reading, options);
    return;
  }
  const bom = await readBom(format, source, definition, findings);
  reading.totals.parts = bom.parts.size;
  yield* elementsOf(bom, definition, findings, options.onMadeGuid);
}

/** Parts and uses of a file that is no table. */
async function readBom(
  format: Exclude<FileFormat, 'json' | 'ndjson' | 'csv' | 'xlsx' | 'ods'>,
  source: FileSource,
  definition: ImportDefinition,
  findings: Findings,
): Promise<Bom> {
  const { columns, exclude, root, productKey, decimal, categories } = definition;
  const optional = <T>(name: string, value: T | undefined) => (value === undefined ? {} : { [name]: value });
  switch (format) {
    case 'step':
      return readStep(
        source,
        {
          ...optional('key', productKey),
          ...optional('encoding', definition.encoding),
          ...optional('root', root && { key: root.number, name: root.name ?? root.number }),
        },
        findings,
      );
    case 'stpx':
      return readStpx(source, findings);
    case 'pdm':
      return readPdmXml(
        source,
        {
          ...optional('number', columns.number),
          ...optional('name', columns.name),
          ...optional('quantity', columns.quantity),
          decimal: decimal === 'unambiguous' ? '.' : decimal,
          byConfiguration: productKey === 'id+name',
        },
        findings,
      );
    default:
      return readNetlist(
        source,
        {
          ...optional('key', columns.key && [columns.key].flat()),
          ...optional('number', columns.number),
          ...optional('name', columns.name),
          ...optional('guid', columns.guid),
          ...optional('variant', definition.variant),
          identity: columns.identity ?? [],
          exclude,
          keepsNotFitted: definition.notFitted === 'keep',
          ...optional(
            'root',
            root && {
              key: root.number,
              name: root.name ?? root.number,
              category: root.category ?? categories.assembly ?? '',
            },
          ),
        },
        findings,
      );
  }
}

/** A table that can be gone over again; what is on which sheet is found out anew. */
interface Table {
  sheets(): AsyncGenerator<{ name: string | undefined; rows: AsyncIterable<SheetRow> }>;
}

async function csvTable(source: FileSource, definition: ImportDefinition, reading: Reading): Promise<Table> {
  const { encoding, text } = await decodeText(source, definition.encoding);
  reading.encoding = encoding === 'utf-8' ? null : encoding;
  const delimiter = definition.delimiter ?? guessDelimiter(await beginningOf(text()));
  return {
    sheets: async function* () {
      yield { name: undefined, rows: withoutGuards(splitCsv(text(), delimiter)) };
    },
  };
}

const GUESSED_FROM_CHARACTERS = 64 * 1024;

async function beginningOf(text: AsyncIterable<string>): Promise<string> {
  let beginning = '';
  for await (const piece of text) {
    beginning += piece;
    if (beginning.length >= GUESSED_FROM_CHARACTERS) break;
  }
  return beginning.slice(0, GUESSED_FROM_CHARACTERS);
}

function workbookTable(open: () => Promise<Sheet[]>, { sheet: wanted }: ImportDefinition): Table {
  return {
    sheets: async function* () {
      const sheets = await open();
      const chosen = sheets.filter(({ name, isHidden }) =>
        wanted === undefined ? !isHidden : name === wanted,
      );
      if (chosen.length === 0) {
        const names = sheets.map(({ name }) => `"${name}"`).join(', ');
        throw new FileFault('sheet_missing', `There is no sheet "${wanted ?? ''}"; there are ${names}.`);
      }
      for (const sheet of chosen) yield { name: sheet.name, rows: sheet.rows() };
    },
  };
}

async function* mapTable(
  table: Table,
  definition: ImportDefinition,
  reading: Reading,
  { onMadeGuid, isKnown }: ReadingOptions,
): AsyncGenerator<Element> {
  const { findings, totals } = reading;
  const { categories, columns, structure } = definition;
  const given = new Map<string, string>();
  let assemblies: ReadonlySet<string> = new Set();
  // Some facts about a line are known only after it, so the file is read twice: whether it has children, if its category depends on
  // that, and the GUID that the file gives to a parent, a location around or an entity that a property names, which stands below.
  const hangsOnChildren = categories.assembly !== undefined && structure !== 'flat';
  const refers = Object.values(definition.properties).some(
    (source) => typeof source !== 'string' && source.type === 'reference',
  );
  const namesLines = structure === 'parent' || columns.parentLocation !== undefined || refers;
  if (hangsOnChildren || (namesLines && columns.guid !== undefined)) {
    const mapper = new TableMapper(definition, new Findings(), assemblies, { givenGuids: given });
    for await (const _ of pass(table, definition, new Findings(), mapper, reading)) {
      // Only what the mapper remembers is of interest.
    }
    if (hangsOnChildren) assemblies = mapper.assemblies;
  }
  const mapper = new TableMapper(definition, findings, assemblies, {
    onMadeGuid,
    givenGuids: given,
    isKnown,
  });
  for await (const element of pass(table, definition, findings, mapper, reading)) {
    totals.parts = mapper.parts;
    yield element;
  }
}

/** Whether the list of an assembly has neither a column of quantities nor one of references, which are counted. */
function countsSilently({ columns, structure, root }: ImportDefinition): boolean {
  const hasParents = structure !== 'flat' || root !== undefined;
  return hasParents && columns.quantity === undefined && columns.references === undefined;
}

/** Over the first sheet that has the header. */
async function* pass(
  table: Table,
  definition: ImportDefinition,
  findings: Findings,
  mapper: TableMapper,
  reading: Reading,
): AsyncGenerator<Element> {
  const wanted = columnsOf(definition);
  const optional = [...numberedColumnsOf(definition), ...(definition.columns.identity ?? [])];
  const watched = definition.watch ?? [];
  if (wanted.length === 0) {
    throw new FileFault('no_mapping', 'A table needs a definition that says what its columns mean.');
  }
  let missing: FileFault | null = null;
  let isRead = false;
  for await (const { name, rows } of table.sheets()) {
    const finder = new HeaderFinder(wanted, optional, watched);
    let reader: LineReader | null = null;
    const hidden = { count: 0, first: 0 };
    try {
      for await (const row of rows) {
        if (reader === null) {
          const places = finder.offer(row);
          if (places === null) continue;
          // A second sheet with the same columns is named and not read.
          if (isRead) {
            findings.add('warning', 'other_sheet', { sheet: name ?? '' }, otherSheet(name ?? '').message);
            break;
          }
          isRead = true;
          reader = new LineReader(definition, places, findings, { sheet: name, header: row });
          reading.totals.quantities = reader.totals;
          const place = { ...(name === undefined ? {} : { sheet: name }), line: row.line };
          if (countsSilently(definition)) findings.add('warning', 'no_quantities', place, NO_QUANTITIES);
          for (const column of finder.twice) {
            const message = `There are several columns "${column}": the first of them is taken. The second is "${column} (2)" in a definition.`;
            findings.add('warning', 'column_twice', place, message);
          }
          continue;
        }
        if (row.isHidden === true) {
          hidden.count += 1;
          hidden.first ||= row.line;
          if (definition.hiddenRows === 'leaveOut') continue;
        }
        const line = reader.read(row);
        if (line !== null) yield* mapper.take(line);
      }
    } catch (error) {
      if (!(error instanceof FileFault) || error.code !== 'header_missing') throw error;
    }
    if (reader !== null) {
      noteHidden(definition, findings, hidden, name);
      yield* mapper.end();
    } else missing = better(missing, finder.missing(), name);
  }
  if (!isRead) throw missing ?? new FileFault('file_empty', 'The file has no rows.');
}

function noteHidden(
  { hiddenRows }: ImportDefinition,
  findings: Findings,
  { count, first }: { count: number; first: number },
  sheet: string | undefined,
): void {
  if (count === 0) return;
  const place = { ...(sheet === undefined ? {} : { sheet }), line: first };
  if (hiddenRows === 'leaveOut') {
    for (let at = 0; at < count; at++)
      findings.add('note', 'hidden_row', place, 'The row is hidden: it is left out.');
    return;
  }
  const message = `${count === 1 ? 'One hidden row was' : `${count} hidden rows were`} read like the others, beginning here. A definition with "hiddenRows": "leaveOut" leaves them out.`;
  findings.add('warning', 'hidden_rows', place, message);
}

/** Returns the more helpful of two errors about sheets: the one that names a row. */
function better(known: FileFault | null, fault: FileFault, sheet: string | undefined): FileFault {
  if (sheet !== undefined && fault.place.line !== undefined) fault.place.sheet = sheet;
  return known?.place.line !== undefined ? known : fault;
}
