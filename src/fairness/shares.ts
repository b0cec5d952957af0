/**
 * Declares every share of the service: what parties share, how many calls of one party may wait for it, and for how long. How
 * much there is comes from the configuration, where the share is opened.
 */
import { FairShare, type FairShareOptions } from './fair-share.ts';

const shares = {
  /** Connections to PostgreSQL. */
  connections: { waitingMax: 1000, patienceMs: 10_000 },
  /** Calls that a web works on at once while several workspaces call. */
  callsInHand: { waitingMax: 10_000, patienceMs: 20_000 },
  /** Reads that go through much. */
  longReads: { waitingMax: 100, patienceMs: 60_000 },
  /** Bytes that decompressors of bodies hold. */
  decompressors: { waitingMax: 256, patienceMs: 60_000 },
  /** Streams and downloads that are open. Nobody waits for one: the client is told to come back. */
  streams: { waitingMax: 0, patienceMs: 0 },
  /** Downloads by CSV links, of which each link has its own share. */
  linkDownloads: { waitingMax: 0, patienceMs: 0 },
  /** Threads that test scripts: the patience is as long as all who wait can take, with the pauses between them. */
  scriptThreads: { waitingMax: 10, patienceMs: 120_000 },
  /** Pictures of labels that are drawn: one of a workspace at a time, while a sheet of labels asks for each by itself. */
  labels: { waitingMax: 256, patienceMs: 30_000 },
  /** Orders that are printed. */
  documents: { waitingMax: 64, patienceMs: 60_000 },
  /** Uploads of pictures that are received, decoded or stored. */
  pictures: { waitingMax: 64, patienceMs: 60_000 },
  /** Bodies of imports whose beginning is read. */
  intakeHeads: { waitingMax: 1024, patienceMs: 120_000 },
  /** Small bodies of imports that are staged. */
  intakeSmall: { waitingMax: 1024, patienceMs: 120_000 },
  /** Large bodies of imports that are read. */
  intakeLarge: { waitingMax: 1024, patienceMs: 120_000 },
  /** Portions of imports that are packed; the senders wait with their bodies. */
  packing: { waitingMax: Number.POSITIVE_INFINITY, patienceMs: 600_000 },
  /** Threads of Node that ask the operating system for names of hosts. */
  nameLookups: { waitingMax: 100, patienceMs: 15_000 },
} as const;

export type ShareName = keyof typeof shares;

/** Opens a share. `given` says how much there is, and may replace how long and how many wait. */
export function openShare(
  name: ShareName,
  given: Pick<FairShareOptions, 'units'> & Partial<FairShareOptions>,
): FairShare {
  return new FairShare({ ...shares[name], name, ...given });
}
