/**
 * The queue of batches as a model, for numbers of workspaces that cannot be run here: lines, turns, jobs and threads are those of
 * `src/sync/batch/advance-batch.ts`; how long a step takes is measured elsewhere and given.
 */

export interface ArrivingBatch {
  workspace: number;
  /** Milliseconds; batches are given in this order. */
  at: number;
  /** 1: done in one step. */
  chunks: number;
}

/** Processor time of a step, of worker and PostgreSQL together, in milliseconds. */
export interface StepTimes {
  whole(): number;
  /** Of one chunk, in any of the passes that work on chunks. */
  chunk(): number;
  /** Of all of them together. */
  structure(chunks: number): number;
}

export interface Machines {
  /** Of all workers together. */
  threads: number;
  /** What the steps under way share, each at most one of them. */
  processors: number;
  /** SYNC_JOBS_PER_BATCH. */
  jobsPerBatch: number;
}

interface Running extends ArrivingBatch {
  index: number;
  passes: { steps: number; ms: () => number; jobs: number }[];
  /** Steps of the pass that nobody has taken, and that are not done. */
  untaken: number;
  undone: number;
}

/** For each batch, the milliseconds from its acceptance to its end. */
export function simulateQueue(
  batches: readonly ArrivingBatch[],
  { threads, processors, jobsPerBatch }: Machines,
  times: StepTimes,
): Float64Array {
  const took = new Float64Array(batches.length);
  const lines = new Map<number, Fifo<Running>>();
  const jobs = new Fifo<Running>();
  const ends = new EndsByTime();
  let idle = threads;
  let arrived = 0;
  let now = 0;
  /** How far each step under way has come, of those that began when it was 0: all go on at one speed. */
  let worked = 0;
  const speed = () => Math.min(1, processors / (threads - idle));
  const goOn = (until: number) => {
    if (idle < threads) worked += (until - now) * speed();
    now = until;
  };

  const begin = (batch: Running) => {
    const [pass] = batch.passes;
    if (pass === undefined) return end(batch);
    batch.untaken = pass.steps;
    batch.undone = pass.steps;
    for (let job = 0; job < Math.min(pass.jobs, pass.steps); job++) jobs.push(batch);
  };
  const end = (batch: Running) => {
    took[batch.index] = now - batch.at;
    const line = lines.get(batch.workspace) as Fifo<Running>;
    line.shift();
    const next = line.first();
    if (next === undefined) lines.delete(batch.workspace);
    else begin(next);
  };
  const accept = (given: ArrivingBatch, index: number) => {
    const chunk = { steps: given.chunks, ms: times.chunk, jobs: jobsPerBatch };
    const passes =
      given.chunks === 1
        ? [{ steps: 1, ms: times.whole, jobs: 1 }]
        : [chunk, { steps: 1, ms: () => times.structure(given.chunks), jobs: 1 }, chunk, chunk];
    const batch = { ...given, index, passes, untaken: 0, undone: 0 };
    const line = lines.get(given.workspace);
    if (line !== undefined) return line.push(batch);
    const own = new Fifo<Running>();
    own.push(batch);
    lines.set(given.workspace, own);
    begin(batch);
  };
  const finish = (batch: Running) => {
    idle++;
    batch.undone--;
    // Its job goes to the end of the queue: others have their turn first.
    if (batch.untaken > 0) jobs.push(batch);
    else if (batch.undone === 0) {
      batch.passes.shift();
      begin(batch);
    }
  };

  for (;;) {
    for (let job = idle > 0 ? jobs.shift() : undefined; job !== undefined; ) {
      const [pass] = job.passes;
      if (job.untaken > 0 && pass !== undefined) {
        job.untaken--;
        idle--;
        ends.add(worked + pass.ms(), job);
      }
      job = idle > 0 ? jobs.shift() : undefined;
    }
    const coming = batches[arrived];
    const nextEnd = ends.next();
    const ending = nextEnd === null ? null : now + (nextEnd - worked) / speed();
    if (coming !== undefined && (ending === null || coming.at <= ending)) {
      goOn(coming.at);
      accept(coming, arrived++);
    } else if (ending === null) return took;
    else {
      goOn(ending);
      finish(ends.take());
    }
  }
}

class Fifo<T> {
  #items: T[] = [];
  #at = 0;
  push(item: T): void {
    this.#items.push(item);
  }
  first(): T | undefined {
    return this.#items[this.#at];
  }
  shift(): T | undefined {
    const item = this.#items[this.#at];
    if (item === undefined) return undefined;
    if (++this.#at > 1024 && this.#at * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#at);
      this.#at = 0;
    }
    return item;
  }
}

/** What ends first is at the top of a binary heap; by how far all steps will have come then. */
class EndsByTime {
  readonly #heap: { at: number; batch: Running }[] = [];
  next(): number | null {
    return this.#heap[0]?.at ?? null;
  }
  add(at: number, batch: Running): void {
    const heap = this.#heap;
    heap.push({ at, batch });
    for (let i = heap.length - 1; i > 0; ) {
      const parent = (i - 1) >> 1;
      if ((heap[parent] as { at: number }).at <= (heap[i] as { at: number }).at) break;
      this.#swap(i, parent);
      i = parent;
    }
  }
  take(): Running {
    const heap = this.#heap;
    const [first] = heap as [{ at: number; batch: Running }];
    const last = heap.pop() as { at: number; batch: Running };
    if (heap.length > 0) {
      heap[0] = last;
      for (let i = 0; ; ) {
        const children = [2 * i + 1, 2 * i + 2].filter((child) => child < heap.length);
        const least = children.reduce(
          (a, b) => ((heap[b] as { at: number }).at < (heap[a] as { at: number }).at ? b : a),
          i,
        );
        if (least === i) break;
        this.#swap(i, least);
        i = least;
      }
    }
    return first.batch;
  }
  #swap(a: number, b: number): void {
    const heap = this.#heap;
    [heap[a], heap[b]] = [
      heap[b] as { at: number; batch: Running },
      heap[a] as { at: number; batch: Running },
    ];
  }
}

/** Numbers between 0 and 1 that are the same for each seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
