/**
 * The memory of an engine whose prelude has run, taken once per thread. A run starts on a copy of it: that
 * costs a tenth of evaluating the prelude again, and a copy over a used memory is a perfect reset, of a heap
 * that a script has corrupted too.
 *
 * Rests on three things of quickjs-emscripten 0.32: all state of the engine is in its linear memory; a
 * runtime and a context can be wrapped around pointers; host functions get their numbers in order of making.
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
import { guestPrelude, PRELUDE_FILE } from './guest-prelude.ts';
import { addTracker, findTrackerField, Rejections } from './rejections.ts';

/** QuickJS in a memory of its own. */
export interface Engine {
  quickjs: QuickJSWASMModule;
  memory: { readonly buffer: ArrayBuffer };
  /** The functions that the engine calls by number. */
  table: WebAssembly.Table;
}

/** Functions of the prelude, held by the host; see guest-prelude.ts. */
export interface Guest {
  begin: QuickJSHandle;
  start: QuickJSHandle;
  settle: QuickJSHandle;
  finish: QuickJSHandle;
  describe: QuickJSHandle;
}

/** The functions that the guest can call. Everything arrives as text; an exception becomes one in the guest. */
export interface HostFunctions {
  log(level: string, messageJson: string, stack: string): void;
  call(id: number, method: string, argsJson: string, stack: string): void;
}

export interface GuestImage {
  pieces: { offset: number; bytes: Uint8Array }[];
  runtime: JSRuntimePointer;
  context: JSContextPointer;
  guest: Record<keyof Guest, JSValuePointer>;
  /** Address of the runtime's tracker of rejections. */
  trackerField: number;
}

/** A guest in a memory that holds the image. None of its handles is ever disposed of: the memory is. */
export interface BootedGuest {
  runtime: QuickJSRuntime;
  context: QuickJSContext;
  guest: Guest;
  /** The reason of the first rejection that nothing has handled. */
  unhandledRejection(): QuickJSHandle | null;
}

const EVAL_STRICT = 1 << 3;
const PAGE_BYTES = 4096;
/** Empty pages in a shorter row belong to the piece around them. */
const GAP_BYTES = 64 * PAGE_BYTES;
const guestFunctions = ['begin', 'start', 'settle', 'finish', 'describe'] as const;

/** Boots `engine`, which nobody else uses, and copies its memory. */
export function takeGuestImage(
  { quickjs, memory }: Pick<Engine, 'quickjs' | 'memory'>,
  methods: readonly string[],
): GuestImage {
  const runtime = quickjs.newRuntime();
  const runtimePointer = (runtime as unknown as { rt: { value: JSRuntimePointer } }).rt.value;
  const trackerField = findTrackerField(runtime, runtimePointer, memory);
  const context = runtime.newContext();
  const nothing = () => {};
  const [log, call] = hostFunctions(context, { log: nothing, call: nothing });
  const values = [
    context.newFunction('log', log),
    context.newFunction('call', call),
    context.newString(JSON.stringify(methods)),
  ];
  const prelude = context.unwrapResult(context.evalCode(guestPrelude, PRELUDE_FILE, EVAL_STRICT));
  const made = context.unwrapResult(context.callFunction(prelude, context.undefined, ...values));
  const pointers = guestFunctions.map((name) => [name, context.getProp(made, name).value]);
  for (const handle of [prelude, made, ...values]) handle.dispose();
  return {
    pieces: usedPages(memory.buffer),
    runtime: runtimePointer,
    trackerField,
    context: (context as unknown as { ctx: { value: JSContextPointer } }).ctx.value,
    guest: Object.fromEntries(pointers),
  };
}

/** Returns what puts the image over whatever the engine's memory holds and wraps it. About 0.1 ms each time. */
export function bootGuest(
  { quickjs, memory, table }: Engine,
  image: GuestImage,
): (host: HostFunctions, mustInterrupt: () => boolean) => BootedGuest {
  const ffi = quickjs.getFFI();
  // The runtime exists already, in the image; its wrapper asks for a pointer in this way only.
  ffi.QTS_NewRuntime = () => image.runtime;
  let rejections = new Rejections(quickjs, memory, image.context);
  const tracker = addTracker(table, (_context, promise, reason, isHandled) =>
    rejections.track(promise, reason, isHandled !== 0),
  );
  return (host, mustInterrupt) => {
    const target = new Uint8Array(memory.buffer);
    for (const { offset, bytes } of image.pieces) target.set(bytes, offset);
    const runtime = quickjs.newRuntime({ interruptHandler: mustInterrupt });
    const own = new Rejections(quickjs, memory, image.context);
    rejections = own;
    new DataView(memory.buffer).setUint32(image.trackerField, tracker, true);
    const context = runtime.newContext({ contextPointer: image.context });
    for (const implementation of hostFunctions(context, host)) runtime.hostRefs.put(implementation);
    const values = context.getMemory(image.runtime);
    const handle = (name: keyof Guest) => values.heapValueHandle(image.guest[name]);
    return {
      runtime,
      context,
      guest: {
        begin: handle('begin'),
        start: handle('start'),
        settle: handle('settle'),
        finish: handle('finish'),
        describe: handle('describe'),
      },
      unhandledRejection: () => own.first(context, image.runtime),
    };
  };
}

/** Host functions, in the order that gives them their numbers. */
function hostFunctions(context: QuickJSContext, host: HostFunctions) {
  const text = (value: QuickJSHandle | undefined) =>
    value !== undefined && context.typeof(value) === 'string' ? context.getString(value) : '';
  return [
    (level?: QuickJSHandle, message?: QuickJSHandle, stack?: QuickJSHandle) =>
      host.log(text(level), text(message), text(stack)),
    (id?: QuickJSHandle, method?: QuickJSHandle, args?: QuickJSHandle, stack?: QuickJSHandle) =>
      host.call(id === undefined ? 0 : context.getNumber(id), text(method), text(args), text(stack)),
  ] as const;
}

/**
 * The pages that are not empty: 220 KB in two pieces, static data and heap, with the 5 MiB of the engine's
 * stack between them. What a run leaves on the stack or in heap that the image has not allocated is no state.
 */
function usedPages(buffer: ArrayBuffer): GuestImage['pieces'] {
  const words = new Uint32Array(buffer);
  const pieces: GuestImage['pieces'] = [];
  const wordsPerPage = PAGE_BYTES / 4;
  for (let page = 0; page * wordsPerPage < words.length; page++) {
    if (words.subarray(page * wordsPerPage, (page + 1) * wordsPerPage).every((word) => word === 0)) continue;
    const offset = page * PAGE_BYTES;
    const last = pieces.at(-1);
    const start =
      last !== undefined && offset - (last.offset + last.bytes.length) < GAP_BYTES ? last.offset : offset;
    if (start !== offset) pieces.pop();
    pieces.push({ offset: start, bytes: new Uint8Array(buffer, start, offset + PAGE_BYTES - start).slice() });
  }
  return pieces;
}
