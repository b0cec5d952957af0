/**
 * Promises of a script that were rejected and that nothing has handled. QuickJS reports them to a tracker
 * (`JS_SetHostPromiseRejectionTracker`), which quickjs-emscripten does not offer. So this file puts a function
 * into the engine's table and writes its number into the field of the runtime that QuickJS calls it by.
 */
import type {
  JSContextPointer,
  JSRuntimePointer,
  JSValuePointer,
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSWASMModule,
} from 'quickjs-emscripten';

/** More of them are not kept: the first is what the run fails with. */
const KEPT_MAX = 1000;
/** The runtime's fields among which the interrupt handler is searched. */
const RUNTIME_WORDS = 512;

/** `JSHostPromiseRejectionTracker`: a value of the engine is 64 bits. */
type Tracker = (context: number, promise: bigint, reason: bigint, isHandled: number, opaque: number) => void;

/** Puts `track` into the engine's table and returns its number there. */
export function addTracker(table: WebAssembly.Table, track: Tracker): number {
  // A module that hands its import on makes `track` a function of the engine: (i32, i64, i64, i32, i32), no result.
  const adapter = new WebAssembly.Module(
    new Uint8Array([
      ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      ...[0x01, 0x09, 0x01, 0x60, 0x05, 0x7f, 0x7e, 0x7e, 0x7f, 0x7f, 0x00],
      ...[0x02, 0x07, 0x01, 0x01, 0x68, 0x01, 0x66, 0x00, 0x00],
      ...[0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00],
    ]),
  );
  const { exports } = new WebAssembly.Instance(adapter, { h: { f: track } });
  return table.grow(1, exports.f);
}

/**
 * Finds the address of the runtime's tracker: it is the second word after the interrupt handler, which is the one
 * word that setting a handler changes. Throws where another engine is built differently.
 */
export function findTrackerField(
  runtime: QuickJSRuntime,
  pointer: JSRuntimePointer,
  memory: { buffer: ArrayBuffer },
): number {
  const fields = () => new Uint32Array(memory.buffer, pointer, RUNTIME_WORDS).slice();
  const before = fields();
  runtime.setInterruptHandler(() => false);
  const after = fields();
  runtime.removeInterruptHandler();
  const changed = [...after.keys()].filter((word) => before[word] !== after[word]);
  const [handler] = changed;
  if (handler === undefined || changed.length > 1 || before[handler] !== 0 || before[handler + 2] !== 0)
    throw new Error('The runtime of this engine has no known place for a tracker of rejections');
  return pointer + (handler + 2) * Uint32Array.BYTES_PER_ELEMENT;
}

/** The rejections of one run that nothing has handled so far. */
export class Rejections {
  readonly #ffi: ReturnType<QuickJSWASMModule['getFFI']>;
  readonly #memory: { buffer: ArrayBuffer };
  readonly #context: JSContextPointer;
  /** The key is the promise. Both values are held, so that no other promise gets the same bits. */
  readonly #kept = new Map<bigint, { promise: JSValuePointer; reason: JSValuePointer }>();
  /** A place in the guest's memory from which the engine copies a value. */
  #place: JSValuePointer | null = null;

  constructor(engine: QuickJSWASMModule, memory: { buffer: ArrayBuffer }, context: JSContextPointer) {
    this.#ffi = engine.getFFI();
    this.#memory = memory;
    this.#context = context;
  }

  track(promise: bigint, reason: bigint, isHandled: boolean): void {
    if (isHandled) {
      const kept = this.#kept.get(promise);
      if (kept === undefined) return;
      this.#kept.delete(promise);
      this.#ffi.QTS_FreeValuePointer(this.#context, kept.reason);
      this.#ffi.QTS_FreeValuePointer(this.#context, kept.promise);
    } else if (this.#kept.size < KEPT_MAX && !this.#kept.has(promise)) {
      this.#kept.set(promise, { promise: this.#hold(promise), reason: this.#hold(reason) });
    }
  }

  /** The reason of the first one; null where everything was handled. */
  first(context: QuickJSContext, runtime: JSRuntimePointer): QuickJSHandle | null {
    for (const { reason } of this.#kept.values()) return context.getMemory(runtime).heapValueHandle(reason);
    return null;
  }

  #hold(value: bigint): JSValuePointer {
    const place = this.#place ?? this.#ffi.QTS_NewFloat64(this.#context, 0);
    this.#place = place;
    new DataView(this.#memory.buffer).setBigUint64(place, BigInt.asUintN(64, value), true);
    return this.#ffi.QTS_DupValuePointer(this.#context, place);
  }
}
