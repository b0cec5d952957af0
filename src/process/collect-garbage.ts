/**
 * How V8 collects what the processes leave behind: by flags that are set while they run, since most of them Node does not take from the environment.
 * Not before the start has ended, but for the first: compiled code is read with the flags that it was written with.
 */
import { setFlagsFromString } from 'node:v8';

// What loading the code leaves behind would make the young generation as large as it can be, and it would stay so.
const GROWING_WHILE_STARTING = '--semi-space-growth-factor=1';
const GROWING_AT_WORK = '--semi-space-growth-factor=2';
// Threads that apply chunks fill their young generation again and again. V8 begins to mark all that they hold whenever what is left
// below the bound is less than a young generation, which is nearly always, and a third more of a worker's time went into that; now it
// waits until three fifths of what there was are used up. Not all at once when nothing is left, as it was: the loop stood still for 70 ms.
const COLLECTING_LATE = '--incremental-marking-soft-trigger=60';
const COLLECTING_IN_TIME = '--incremental-marking-hard-trigger=95';
// Where calls are answered all that is held is marked when it has doubled, and not, as V8 would, whenever that takes no more than a thirtieth
// of the time: while it marks, for a tenth of a second, it wants every processor, and every call of that time waits for it.
const COLLECTING_SELDOM = '--heap-growing-percent=100';
// V8 makes in the old generation what a place of the code has made that lived for long before. What such a thing holds outlives the young
// generation for that alone, which is taken for a proof again: rows that are read for a millisecond are never made young any more, and of
// what a worker's threads compute a fifth was collecting that (ADR 81).
const ALL_BEGINS_YOUNG = '--no-allocation-site-pretenuring';

// What the scripts of package.json say of the event loop's young generation goes before what threads are asked to have. Of a worker's,
// one that decides on a million links, and makes few objects, shall have less of it than those that apply chunks.
const YOUNG_AS_ASKED = '--max-semi-space-size=0';

export function collectWhileStarting(): void {
  setFlagsFromString(GROWING_WHILE_STARTING);
}

/** When the start has ended. */
export function collectAtWork(): void {
  setFlagsFromString(GROWING_AT_WORK);
}

/** Sets the collector for processes that apply batches and answer no calls, before the first thread starts. */
export function collectAsWorker(): void {
  setFlagsFromString(ALL_BEGINS_YOUNG);
  setFlagsFromString(YOUNG_AS_ASKED);
  setFlagsFromString(COLLECTING_LATE);
  setFlagsFromString(COLLECTING_IN_TIME);
}

/** Sets the collector for processes that answer calls, whatever else they do. */
export function collectAsWeb(): void {
  setFlagsFromString(ALL_BEGINS_YOUNG);
  setFlagsFromString(COLLECTING_SELDOM);
}
