/**
 * A body of GUIDs that fall into one of the parts that it is stored in while it arrives, as nobody could send it who does not know
 * the secret of its hash: so it is staged here, with a hash whose secret is known, and everything behind that is the service's.
 */
import { randomUUID } from 'node:crypto';
import { readConfig } from '../../src/config.ts';
import { connectDb } from '../../src/db/connect.ts';
import { newId } from '../../src/db/ids.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { elementLimits } from '../../src/sync/elements/read-element.ts';
import { GuidHash } from '../../src/sync/graph/guid-hash.ts';
import { HeldBudget } from '../../src/sync/intake/held-budget.ts';
import { stageBatch } from '../../src/sync/intake/stage-batch.ts';

const SECRET = Buffer.alloc(8);
/** As many parts as a body has that may have millions of elements. */
const PARTS = 256;
const LINES_A_PIECE = 500;

export function chosenGuids(count: number): string[] {
  const hash = new GuidHash(SECRET);
  const chosen: string[] = [];
  while (chosen.length < count) {
    const guid = randomUUID();
    if (hash.of(guid) % PARTS === 0) chosen.push(guid);
  }
  return chosen;
}

/** Accepts them as a batch; returns its id. */
export async function stageChosen(
  databaseUrl: string,
  { id: workspaceId }: { id: string },
  guids: readonly string[],
): Promise<string> {
  const config = readConfig({});
  const db = await connectDb({
    url: databaseUrl,
    poolMax: 2,
    applicationName: 'partbook bench',
    log: { warn: () => {} },
  });
  try {
    const [key] = await inTransaction(db, { workspaceId }, (tx) =>
      tx.query<{ id: string }>('select id from api_key where workspace_id = $1', [workspaceId]),
    );
    if (key === undefined) throw new Error('The workspace has no key');
    async function* pieces() {
      for (let at = 0; at < guids.length; at += LINES_A_PIECE) {
        const some = guids.slice(at, at + LINES_A_PIECE);
        const line = (guid: string) =>
          JSON.stringify({ guid, number: 'N', name: 'A part', categoryKey: 'part' });
        yield Buffer.from(some.map((guid) => `${line(guid)}\n`).join(''));
      }
    }
    const thread = {
      db,
      budget: new HeldBudget(),
      limits: elementLimits(config),
      inlineElementsMax: 0,
      hashOfBody: () => new GuidHash(SECRET),
    };
    const intake = {
      workspaceId,
      batchId: newId(),
      actorId: key.id,
      requestId: newId(),
      traceparent: null,
      profileName: 'pdm',
      dryRun: false,
      exact: false,
      resendOf: null,
      format: 'ndjson' as const,
      elementsMax: config.SYNC_NDJSON_ENTITIES_MAX,
      elementBytesMax: config.SYNC_ELEMENT_BYTES_MAX,
      chunkElements: config.SYNC_CHUNK_ELEMENTS,
      queuedBatchesMax: config.SYNC_MAX_QUEUED_BATCHES,
      idempotency: null,
      isAwaited: false,
    };
    const { batchId } = await stageBatch(thread, intake, { pieces: pieces(), digest: () => null });
    return batchId;
  } finally {
    await db.close();
  }
}
