/**
 * A QuickJS of its own for each run: the compiled code is shared within the thread, the memory is not.
 * The cap on `WebAssembly.Memory` is the only memory limit that holds: QuickJS's own bounds one request,
 * not their sum (scripts reached 1.3 GB under "32 MB").
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } from 'quickjs-emscripten';
import { withExportedTable, withMemoryMinimum } from './engine-memory.ts';
import {
  type BootedGuest,
  bootGuest,
  type Engine,
  type GuestImage,
  type HostFunctions,
  takeGuestImage,
} from './guest-image.ts';

const PAGE_BYTES = 65_536;
/** The name under which the engine's table of functions is exported. */
const TABLE = 'table';
/**
 * 6 MiB: 5.1 for the engine's own data and stack, the rest for the image and a small script. The engine asks for
 * 16, of which V8 takes four for a reason to collect garbage.
 */
const PAGES_MIN = 96;
/** Attempts that emscripten makes at one growth, each for less than the one before. */
const GROWTH_ATTEMPTS = 3;

export interface Instance {
  /** A fresh guest, in place of the one before, if any. */
  boot(host: HostFunctions, mustInterrupt: () => boolean): BootedGuest;
  /**
   * Makes the memory what it was when the instance was opened, byte for byte, so that the next guest is as far from the last one
   * as in an instance of its own; takes a third of the time that opening one does. False where it has grown, which it cannot
   * take back. Only between runs that ended as they should (`Evaluation.reusable`): the engine's own few variables beside its memory
   * are then as they were.
   */
  wipe(): boolean;
  /** The memory of the engine and its guest. */
  readonly memory: WebAssembly.Memory;
  /** Called while the engine grows its memory: past the soft limit, or refused at the hard one. */
  onPressure: (pressure: 'soft' | 'hard') => void;
}

export interface InstanceOptions {
  memoryBytes: number;
  memorySoftBytes: number;
  /** Names of the methods of `api` beside the loggers. */
  methods: readonly string[];
}

let compiled: Promise<WebAssembly.Module> | null = null;
const images = new Map<string, Promise<GuestImage>>();

/** About 1 ms. The instance is garbage as soon as nobody holds it. */
export async function openInstance(options: InstanceOptions): Promise<Instance> {
  const image = await imageFor(options.methods);
  const memory = engineMemory(options.memoryBytes);
  const engine = await openEngine(memory);
  const boot = bootGuest(engine, image);
  const instance: Instance = {
    boot,
    wipe: () => {
      const { buffer } = memory;
      if (buffer.byteLength > PAGES_MIN * PAGE_BYTES) return false;
      // The image, which `boot` puts over it, holds all that was not zero.
      new Uint8Array(buffer).fill(0);
      return true;
    },
    memory,
    onPressure: () => {},
  };
  watchGrowth(memory, options.memorySoftBytes, (pressure) => instance.onPressure(pressure));
  return instance;
}

/** The smallest memory that the engine starts with, which grows up to `bytesMax`. */
export function engineMemory(bytesMax: number): WebAssembly.Memory {
  const maximum = Math.max(PAGES_MIN, Math.floor(bytesMax / PAGE_BYTES));
  return new WebAssembly.Memory({ initial: PAGES_MIN, maximum });
}

/** An engine without a guest. */
export async function openEngine(memory: WebAssembly.Memory): Promise<Engine> {
  compiled ??= compileEngine();
  const module = await compiled;
  const silent = () => {};
  let table: WebAssembly.Table | undefined;
  const variant = newVariant(RELEASE_SYNC, {
    wasmMemory: memory,
    emscriptenModule: {
      // A script that breaks the engine must not write to the service's log.
      print: silent,
      printErr: silent,
      instantiateWasm: (imports: object, done: (instance: WebAssembly.Instance) => void) => {
        const instance = new WebAssembly.Instance(module, imports);
        table = instance.exports[TABLE] as WebAssembly.Table;
        done(instance);
        return instance.exports;
      },
    } as object,
    log: silent,
  });
  const quickjs = await newQuickJSWASMModuleFromVariant(variant);
  if (table === undefined) throw new Error('The engine was made without its table');
  return { quickjs, memory, table };
}

async function compileEngine(): Promise<WebAssembly.Module> {
  // Resolved through quickjs-emscripten, whose dependency the variant is, wherever npm has put it.
  const owner = createRequire(createRequire(import.meta.url).resolve('quickjs-emscripten'));
  const linked = await readFile(owner.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
  return WebAssembly.compile(withExportedTable(withMemoryMinimum(linked, PAGES_MIN), TABLE));
}

function imageFor(methods: readonly string[]): Promise<GuestImage> {
  const key = methods.join();
  const known = images.get(key);
  if (known !== undefined) return known;
  const made = (async () => {
    return takeGuestImage(await openEngine(engineMemory(PAGES_MIN * PAGE_BYTES)), methods);
  })();
  images.set(key, made);
  return made;
}

/** Emscripten grows through the Memory object, so an own `grow` sees every growth and every refusal. */
function watchGrowth(
  memory: WebAssembly.Memory,
  softBytes: number,
  report: (pressure: 'soft' | 'hard') => void,
): void {
  let refused = 0;
  const grow = (pages: number): number => {
    try {
      const before = WebAssembly.Memory.prototype.grow.call(memory, pages);
      refused = 0;
      if ((before + pages) * PAGE_BYTES > softBytes) report('soft');
      return before;
    } catch (error) {
      refused += 1;
      if (refused >= GROWTH_ATTEMPTS) {
        refused = 0;
        report('hard');
      }
      throw error;
    }
  };
  Object.defineProperty(memory, 'grow', { value: grow });
}
