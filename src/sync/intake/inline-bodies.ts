/**
 * Bodies of a few elements are staged, and nearly always applied, where they have arrived: a thread has to be woken and told, and to
 * wake and tell, which costs as much as all that it would do with them.
 */
import { availableParallelism } from 'node:os';
import type { Intake, IntakeThread } from './accept-batch.ts';
import { wholeBody } from './body-channel.ts';
import type { Staged } from './claim-batch.ts';
import type { IntakeOptions } from './open-intake.ts';
import type { stageBatch } from './stage-batch.ts';

/** Some ten entities, each of which keeps the event loop for some ten microseconds. */
const INLINE_BYTES_MAX = 8 * 1024;
/**
 * Commas and line ends bound the number of elements, each of which may be an error that takes about forty
 * microseconds to report.
 */
const SEPARATORS_MAX = 128;
const [COMMA, NEWLINE] = [0x2c, 0x0a];

interface Opened {
  thread: IntakeThread;
  stageBatch: typeof stageBatch;
}

/**
 * Bodies in hand at a time where there are processors for more than the event loop and PostgreSQL: beyond it a thread does more than it
 * costs. Where there are not, it would only take the loop's time.
 */
const IN_HAND_MAX = 3;
const FEW_PROCESSORS = 2;

/** Links above what a body names that are gone through here; what needs more is put in line for a worker. */
const STORED_LINKS_MAX = 2000;

/** The inline bodies of a process. Nothing is loaded or connected before the first. */
export class InlineBodies {
  readonly #options: IntakeOptions;
  readonly #inHandMax = availableParallelism() > FEW_PROCESSORS ? IN_HAND_MAX : Number.POSITIVE_INFINITY;
  #inHand = 0;
  #opened: Promise<Opened> | null = null;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** Whether a body is staged here, and not by a thread. */
  takes({ exact }: Intake, body: Uint8Array): boolean {
    // To say a structure exactly is to go through all that is stored of it.
    if (exact || body.length > INLINE_BYTES_MAX) return false;
    return this.#inHand < this.#inHandMax && hasFewElements(body);
  }

  /** Stages a body as `stageBatch` does. `digest` is that of what was sent, where the bytes were made from it. */
  async stage(intake: Intake, bytes: Uint8Array, digest: Uint8Array | null): Promise<Staged> {
    this.#inHand++;
    try {
      const { thread, stageBatch } = await this.#open();
      return await stageBatch(thread, intake, wholeBody(bytes, digest));
    } finally {
      this.#inHand--;
    }
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => null);
    await opened?.thread.db.close();
  }

  #open(): Promise<Opened> {
    this.#opened ??= open(this.#options).catch((error: unknown) => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }
}

async function open(options: IntakeOptions): Promise<Opened> {
  const [{ openIntake }, { stageBatch }, { boundWork }] = await Promise.all([
    import('./open-intake.ts'),
    import('./stage-batch.ts'),
    import('../chunk/bounded-work.ts'),
  ]);
  const thread = await openIntake(options);
  boundWork(thread.db, STORED_LINKS_MAX);
  return { thread, stageBatch };
}

function hasFewElements(body: Uint8Array): boolean {
  let separators = 0;
  for (const byte of body) {
    if (byte !== COMMA && byte !== NEWLINE) continue;
    if (++separators > SEPARATORS_MAX) return false;
  }
  return true;
}
