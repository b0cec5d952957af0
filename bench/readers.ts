/**
 * `node bench/readers.ts`: what reading large files costs, in processor seconds and in memory at its peak: a STEP file of
 * 300 MB, a workbook of 200 000 rows with 600 000 texts, a CSV of the same rows. Bounds: 200 MiB and 300 MiB.
 */
import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workbookParts, writeZip } from '../test/setup/write-zip.ts';

const STEP_BYTES = 300_000_000;
const ROWS = 200_000;
const COLUMNS = 12;

const titles = [
  'Level',
  'Number',
  'Name',
  'Qty',
  ...Array.from({ length: COLUMNS - 4 }, (_, at) => `P${at}`),
];
const reader = fileURLToPath(new URL('./readers/read-alone.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'partbook-readers-'));
const table = {
  columns: { number: 'Number', name: 'Name', quantity: 'Qty', level: 'Level' },
  structure: 'levels',
  properties: Object.fromEntries(Array.from({ length: COLUMNS - 4 }, (_, at) => [`P${at}`, `P${at}`])),
};

try {
  report('STEP, 300 MB', await writeStep(join(folder, 'large.stp')), { format: 'step' }, 200);
  report('XLSX, 200 000 rows', await writeWorkbook(join(folder, 'large.xlsx')), table, 300);
  report('CSV, 200 000 rows', await writeCsv(join(folder, 'large.csv')), table, 300);
} finally {
  rmSync(folder, { recursive: true });
}

function report(name: string, file: string, definition: object, boundMiB: number): void {
  const megabytes = (statSync(file).size / 1e6).toFixed(0);
  const said = execFileSync(process.execPath, [reader, file, JSON.stringify(definition)], {
    encoding: 'utf8',
  });
  const { elements, links, cpuSeconds, peakMiB } = JSON.parse(said);
  const verdict = peakMiB <= boundMiB ? 'within' : 'BEYOND';
  console.log(
    `${name.padEnd(20)} ${megabytes.padStart(4)} MB  ${elements} elements, ${links} links  ${cpuSeconds} s  ${peakMiB} MiB (${verdict} ${boundMiB})`,
  );
}

/** Mostly points, as real files are, with a product and a usage now and then. */
async function writeStep(path: string): Promise<string> {
  const product = (id: number, name: string) =>
    `#${id}=PRODUCT('${name}','Part ${name}','',(#1));\n#${id + 1}=PRODUCT_DEFINITION_FORMATION('1','',#${id});\n` +
    `#${id + 2}=PRODUCT_DEFINITION('design','',#${id + 1},#2);\n`;
  function* text() {
    yield `ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nENDSEC;\nDATA;\n${product(10, 'TOP')}`;
    let id = 100;
    let bytes = 0;
    for (let part = 0; bytes < STEP_BYTES; part++) {
      const parts = [
        product(id, `P-${part}`),
        `#${id + 3}=NEXT_ASSEMBLY_USAGE_OCCURRENCE('u${part}','','',#12,#${id + 2},$);\n`,
      ];
      id += 4;
      for (let point = 0; point < 2_000; point++) {
        parts.push(
          `#${id}=CARTESIAN_POINT('',(${(id % 977) / 7},-12.500000000001,${point}.));\n#${id + 1}=DIRECTION('it''s; /* no comment',(0.,0.,1.));\n`,
        );
        id += 2;
      }
      const piece = parts.join('');
      bytes += piece.length;
      yield piece;
    }
    yield 'ENDSEC;\nEND-ISO-10303-21;\n';
  }
  return writeText(path, text());
}

function cellsOf(row: number): (string | number)[] {
  const texts = Array.from({ length: COLUMNS - 4 }, (_, at) =>
    at < 2 ? `value ${at} of ${row}` : `kind ${(row * (at + 1)) % 500}`,
  );
  return [row % 100 === 0 ? 0 : 1, `PN-${row}`, `Part number ${row}`, (row % 9) + 1, ...texts];
}

async function writeWorkbook(path: string): Promise<string> {
  const numbers = new Map<string, number>();
  const numberOf = (text: string) => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
  function* rows() {
    for (let row = -1; row < ROWS; row++) {
      const cells = row === -1 ? titles : cellsOf(row);
      const written = cells.map((cell, at) => {
        const place = `${String.fromCharCode(65 + at)}${row + 2}`;
        return typeof cell === 'number'
          ? `<c r="${place}"><v>${cell}</v></c>`
          : `<c r="${place}" t="s"><v>${numberOf(cell)}</v></c>`;
      });
      yield `<row r="${row + 2}">${written.join('')}</row>`;
    }
  }
  function* strings() {
    for (const text of numbers.keys()) yield `<si><t>${text}</t></si>`;
  }
  const parts = workbookParts([{ name: 'BOM', rows: rows() }], strings());
  // The texts are numbered while the sheet is written.
  await writeZip(
    path,
    parts.toSorted(
      (a, b) => Number(a.name.includes('sharedStrings')) - Number(b.name.includes('sharedStrings')),
    ),
  );
  return path;
}

async function writeCsv(path: string): Promise<string> {
  function* text() {
    yield `${titles.join(',')}\r\n`;
    for (let row = 0; row < ROWS; row++) yield `${cellsOf(row).join(',')}\r\n`;
  }
  return writeText(path, text());
}

async function writeText(path: string, text: Iterable<string>): Promise<string> {
  const out = createWriteStream(path);
  for (const piece of text)
    if (!out.write(piece)) await new Promise<void>((done) => out.once('drain', () => done()));
  await new Promise<void>((done) => out.end(done));
  return path;
}
