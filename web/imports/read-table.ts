/** Reads a CSV or XLSX file into rows of text, beside the page. */
import type { TableFile } from './table-file.ts';

export async function readTable(file: File): Promise<TableFile> {
  const worker = new Worker(new URL('./table.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<TableFile>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<TableFile | { error: string }>) =>
        'error' in data ? reject(new Error(data.error)) : resolve(data);
      worker.onerror = (event) => reject(new Error(event.message || 'The file cannot be read.'));
      worker.postMessage(file);
    });
  } finally {
    worker.terminate();
  }
}
