/** A ZIP archive for tests and benches: entries deflated as they are made, so that a large one is never held. */
import { createWriteStream } from 'node:fs';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipContent {
  name: string;
  text: Iterable<string> | string;
}

export async function writeZip(path: string, contents: readonly ZipContent[]): Promise<void> {
  const out = createWriteStream(path);
  let offset = 0;
  const write = async (bytes: Uint8Array) => {
    offset += bytes.length;
    if (!out.write(bytes)) await new Promise<void>((done) => out.once('drain', () => done()));
  };
  const directory: Buffer[] = [];
  for (const { name, text } of contents) {
    const start = offset;
    const names = Buffer.from(name);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    // Sizes stand behind the contents, and in the directory.
    head.writeUInt16LE(8, 6);
    head.writeUInt16LE(8, 8);
    head.writeUInt16LE(names.length, 26);
    await write(Buffer.concat([head, names]));
    const deflate = createDeflateRaw({ level: 1 });
    let crc = 0;
    let bytes = 0;
    const before = offset;
    const pieces = typeof text === 'string' ? [text] : text;
    const feeding = (async () => {
      for (const piece of pieces) {
        const plain = Buffer.from(piece);
        crc = crc32(plain, crc);
        bytes += plain.length;
        if (!deflate.write(plain)) await new Promise<void>((done) => deflate.once('drain', () => done()));
      }
      deflate.end();
    })();
    for await (const piece of deflate) await write(piece as Uint8Array);
    await feeding;
    const compressed = offset - before;
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(0x08074b50, 0);
    sizes.writeUInt32LE(crc, 4);
    sizes.writeUInt32LE(compressed, 8);
    sizes.writeUInt32LE(bytes, 12);
    await write(sizes);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 4);
    entry.writeUInt16LE(20, 6);
    entry.writeUInt16LE(8, 8);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(crc, 16);
    entry.writeUInt32LE(compressed, 20);
    entry.writeUInt32LE(bytes, 24);
    entry.writeUInt16LE(names.length, 28);
    entry.writeUInt32LE(start, 42);
    directory.push(Buffer.concat([entry, names]));
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(contents.length, 8);
  end.writeUInt16LE(contents.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  await write(Buffer.concat([listed, end]));
  await new Promise<void>((done) => out.end(done));
}

/** The parts of a workbook around its sheets: `sheets` are the contents of `sheetData`. */
export function workbookParts(
  sheets: readonly { name: string; state?: string; rows: Iterable<string> | string }[],
  strings: Iterable<string> | string = '',
  styles = '',
): ZipContent[] {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relations = (body: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${body}</Relationships>`;
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  const listed = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="r${at + 1}"/>`,
  );
  return [
    {
      name: '[Content_Types].xml',
      text: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    },
    { name: '_rels/.rels', text: relations(relation('r1', 'officeDocument', '/xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      text: `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${listed.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: relations(
        sheets.map((_, at) => relation(`r${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)).join('') +
          relation('rs', 'sharedStrings', 'sharedStrings.xml') +
          relation('rt', 'styles', 'styles.xml'),
      ),
    },
    { name: 'xl/styles.xml', text: `<styleSheet xmlns="${main}">${styles}</styleSheet>` },
    { name: 'xl/sharedStrings.xml', text: around(`<sst xmlns="${main}">`, strings, '</sst>') },
    ...sheets.map(({ rows }, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      text: around(`<worksheet xmlns="${main}"><sheetData>`, rows, '</sheetData></worksheet>'),
    })),
  ];
}

function* around(before: string, inner: Iterable<string> | string, after: string): Generator<string> {
  yield before;
  yield* typeof inner === 'string' ? [inner] : inner;
  yield after;
}
