/**
 * A table that is sent as a body, as the elements that are made of it. What is the same request again is told by the table: the
 * definition that reads it may be another one by then, or gone.
 */
import { createHash } from 'node:crypto';
import { inTransaction } from '../db/transaction.ts';
import { guidsOfNumbers } from '../entities/numbers/guids-of-numbers.ts';
import type { WorkspaceCall } from '../http/route.ts';
import { withBody } from '../idempotency/idempotency-key.ts';
import { csvAsElements, type Matching } from '../imports/csv-as-elements.ts';
import { requireMapping } from '../imports/find-import-definition.ts';
import type { ImportDefinition } from '../imports/import-definition.schema.ts';
import type { BodySource } from './intake/body-channel.ts';
import { acceptedBefore } from './intake/claim-batch.ts';

/** The table was accepted before, under the same Idempotency-Key. */
export class AcceptedBefore extends Error {
  override readonly name = 'AcceptedBefore';
  readonly batchId: string;

  constructor(batchId: string) {
    super('the table was accepted before');
    this.batchId = batchId;
  }
}

type ImportMapping = ImportDefinition['mapping'];

/** Throws `import_definition_missing`. */
export function mappingOf({ ctx, workspace }: WorkspaceCall, profile: string): Promise<ImportMapping> {
  const scope = { workspaceId: workspace.id };
  return inTransaction(ctx.db, scope, (tx) => requireMapping(tx, profile), { readOnly: true });
}

type TableCall = Pick<WorkspaceCall, 'ctx' | 'workspace' | 'idempotency'> & {
  query: { dryRun?: string | undefined };
};

function matchingOf({ db }: WorkspaceCall['ctx'], workspaceId: string, isDryRun: boolean): Matching {
  const lookUp: Matching['lookUp'] = (numbers) =>
    inTransaction(db, { workspaceId }, (tx) => guidsOfNumbers(tx, numbers), { readOnly: true });
  return { lookUp, isDryRun };
}

/**
 * Reads a table as a body. Reading throws `AcceptedBefore` after the whole table has arrived, and the errors of
 * `csvAsElements`. `mapping` is requested after that.
 */
export function tableBody(
  { ctx, workspace, idempotency, query }: TableCall,
  body: { read(ended: AbortSignal): AsyncIterable<Buffer>; cut: AbortSignal },
  mapping: () => Promise<ImportMapping>,
): BodySource {
  const hash = createHash('sha256');
  let digest: Buffer | null = null;
  async function* elements(ended: AbortSignal): AsyncGenerator<Buffer> {
    const held: Buffer[] = [];
    for await (const piece of body.read(ended)) {
      hash.update(piece);
      held.push(piece);
    }
    digest = hash.digest();
    const known = await acceptedBefore(
      ctx.db,
      workspace.id,
      idempotency === null ? null : withBody(idempotency, digest),
    );
    if (known !== null) throw new AcceptedBefore(known);
    yield* csvAsElements(held, await mapping(), matchingOf(ctx, workspace.id, query.dryRun === 'true'));
  }
  return {
    read: elements,
    cut: body.cut,
    digest: () => {
      if (digest === null) throw new Error('The digest of a table that has not been read');
      return digest;
    },
  };
}
