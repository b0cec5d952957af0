/** The thread that reads tables: a large file must not stop the page. */
import Papa from 'papaparse';
import { TABLE_ROWS_MAX, type TableFile } from './table-file.ts';

const FILE_BYTES_MAX = 200_000_000;

self.onmessage = async ({ data: file }: MessageEvent<File>) => {
  try {
    if (file.size > FILE_BYTES_MAX) throw new Error('The file is larger than 200 MB: send it as NDJSON.');
    const table = /\.xlsx$/i.test(file.name) ? await readXlsx(file) : await readCsv(file);
    const [head, ...rows] = table;
    if (head === undefined || head.every((cell) => cell.trim() === ''))
      throw new Error('The file has no first line of column names.');
    if (rows.length > TABLE_ROWS_MAX) {
      throw new Error(
        `The file has ${rows.length} rows; tables are read up to ${TABLE_ROWS_MAX}. Send it as NDJSON.`,
      );
    }
    self.postMessage({ name: file.name, head, rows } satisfies TableFile);
  } catch (error) {
    self.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
};

async function readXlsx(file: File): Promise<string[][]> {
  const { readSheet } = await import('read-excel-file/web-worker');
  const rows = await readSheet(file);
  return rows.map((row) =>
    row.map((cell) => {
      if (cell === null || cell === undefined) return '';
      return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell);
    }),
  );
}

async function readCsv(file: File): Promise<string[][]> {
  const text = await file.text();
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\ufeff/, ''), { skipEmptyLines: 'greedy' });
  const fault = errors.find(({ type }) => type === 'Quotes');
  if (fault !== undefined) throw new Error(`Row ${(fault.row ?? 0) + 1}: ${fault.message}`);
  return data;
}
