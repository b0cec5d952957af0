/**
 * Takes a chunk whose elements are large, and whose entities have large numbers, through the functions that keep an object of each shape,
 * and says how many bytes of it are left when all else is let go. Started by kept-code.test.ts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WorkspaceConfiguration } from '../../../src/configuration/current/workspace-configuration.ts';
import type { Tx } from '../../../src/db/transaction.ts';
import type { ClaimedChunk } from '../../../src/sync/chunk/claim-chunk.ts';
import { saveResults } from '../../../src/sync/chunk/save-results.ts';
import { packElements } from '../../../src/sync/elements/payload-codec.ts';
import { compareElements } from '../../../src/sync/plan/compare-elements.ts';
import { compareLinks } from '../../../src/sync/plan/compare-links.ts';
import { unchangedResults } from '../../../src/sync/plan/report-results.ts';
import { prepareUnlikeBefore } from '../../../src/sync/plan/sent-again.ts';

const LARGE_CHARS = 16_000_000;
const ELEMENTS = 4;
const ref = { workspaceId: guidOf(1), batchId: guidOf(2), large: false };
const chunk = { ordinal: 0, element_count: ELEMENTS, bucket: 0, slot_from: 0, slot_to: 256 };
const configuration = {
  categories: new Map([
    ['part', { key: 'part', behaviour: 'none', lifecycle: { releasedStates: new Set() } }],
  ]),
  properties: new Map(),
} as unknown as WorkspaceConfiguration;
const limits = {
  numberCharsMax: 100,
  nameCharsMax: 100,
  propertyValueCharsMax: 100,
  propertiesMax: 10,
  propertiesBytesMax: 10_000,
  warningsMax: 5,
};

function guidOf(n: number): string {
  return `0000000a-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** In the place of PostgreSQL: what is kept of its answers must not depend on how many rows they have. */
function answering(answers: readonly (() => unknown[])[]): Tx {
  const left = [...answers];
  const query = async () => left.shift()?.() ?? [];
  return { workspaceId: ref.workspaceId, query, withCommit: () => {} } as unknown as Tx;
}

function segment(): Buffer {
  const elements = Array.from({ length: ELEMENTS }, (_, index) => {
    const parentGuid = guidOf(1000 + index);
    const sent = { guid: guidOf(index), number: 'N', name: 'Part', categoryKey: 'part', parentGuid };
    const bytes = Buffer.from(JSON.stringify({ ...sent, ignored: 'x'.repeat(LARGE_CHARS) }));
    return { index, bytes, rejected: false, slot: 0 };
  });
  return packElements(elements, false);
}

/** The entities of the chunk as they are stored, with the hash that they would be written with. */
function stored(): unknown[] {
  const number = JSON.stringify('n'.repeat(LARGE_CHARS));
  const lines = Array.from({ length: ELEMENTS }, (_, place) =>
    [place, guidOf(2000 + place), 7, '"In Work"', number].join('\x1f'),
  );
  return [{ same: Buffer.from(lines.join('\x1e')).toString(), different: null }];
}

async function applyChunk(): Promise<number> {
  const reading = answering([() => [{ segment: 0, elements: segment() }]]);
  const preparing = { configuration, limits };
  const { elements } = await prepareUnlikeBefore(reading, ref, chunk as ClaimedChunk, preparing);
  const { entities } = elements;
  const compared = await compareElements(answering([stored]), entities, configuration, false);
  const links = await compareLinks(answering([]), entities, { configuration, kept: null, compared });
  const results = compared.flatMap(unchangedResults);
  for (const result of results) result.number = 'N';
  saveResults(answering([]), ref, 0, results);
  return results.length + links.count;
}

/** A collection that is under way already keeps what was let go since it began: the next one does not. */
async function bytesHeld(): Promise<number> {
  for (let collection = 0; collection < 3; collection++) {
    await nextTurn();
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const before = await bytesHeld();
await applyChunk();
process.stdout.write(JSON.stringify({ left: (await bytesHeld()) - before, ofOne: LARGE_CHARS }));
