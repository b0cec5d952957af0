/** `partbook orders document`: an order as PDF or CSV, by the template of the workspace. */
import { writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { UsageError } from '../../exit-codes.ts';
import { shown } from '../../output.ts';
import { openSession, orderId } from '../../session.ts';
import { pathHere } from '../../surroundings.ts';

interface DocumentFlags {
  format: 'pdf' | 'csv';
  out?: string;
}

export function addOrderDocument(orders: Command): void {
  const document = orders
    .command('document <order>')
    .description('write an order as PDF or CSV into a file, by the template of the workspace')
    .addOption(new Option('--format <format>', 'the format').choices(['pdf', 'csv']).default('pdf'))
    .option('--out <file>', 'the file (default: the number of the order, in this folder)')
    .action(async (reference: string, { format, out }: DocumentFlags) => {
      const session = openSession(document);
      const { partbook, output, signal } = session;
      const id = await orderId(session, reference);
      const headers = { Accept: format === 'pdf' ? 'application/pdf' : 'text/csv' };
      const response = await partbook.send(
        'GET /orders/{id}/document',
        { id, query: { format } },
        { signal, headers },
      );
      const bytes = new Uint8Array(await response.arrayBuffer());
      const named = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
      const file = out ?? named ?? `${id}.${format}`;
      try {
        writeFileSync(pathHere(file), bytes);
      } catch (error) {
        throw new UsageError(`${shown(file)} cannot be written: ${(error as Error).message}.`);
      }
      output.answer({ file, bytes: bytes.length }, () => `${file}: ${bytes.length} bytes`);
    });
}
