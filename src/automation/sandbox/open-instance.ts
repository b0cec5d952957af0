/**
 * A QuickJS of its own for each run: the compiled code is shared within the thread, the memory is not.
 * The cap on `WebAssembly.Memory` is the only memory limit that holds: QuickJS's own bounds one request,
 * not their sum (scripts reached 1.3 GB under "32 MB").
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSWASMModule,
  RELEASE_SYNC,
} from 'quickjs-emscripten';

const PAGE_BYTES = 65_536;
/** The engine was linked for 16 MiB and does not start with less. */
const PAGES_MIN = 256;
/** Attempts that emscripten makes at one growth, each for less than the one before. */
const GROWTH_ATTEMPTS = 3;

export interface Instance {
  readonly engine: QuickJSWASMModule;
  /** Called while the engine grows its memory: past the soft limit, or refused at the hard one. */
  onPressure: (pressure: 'soft' | 'hard') => void;
  memoryBytes(): number;
}

let compiled: Promise<WebAssembly.Module> | null = null;

function engineCode(): Promise<WebAssembly.Module> {
  compiled ??= (async () => {
    // Through quickjs-emscripten, whose dependency the variant is, wherever npm has put it.
    const package_ = createRequire(createRequire(import.meta.url).resolve('quickjs-emscripten'));
    return WebAssembly.compile(await readFile(package_.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')));
  })();
  return compiled;
}

/** About 1 ms. The instance is garbage as soon as nobody holds it. */
export async function openInstance(limits: { memoryBytes: number; memorySoftBytes: number }): Promise<Instance> {
  const memory = new WebAssembly.Memory({
    initial: PAGES_MIN,
    maximum: Math.max(PAGES_MIN, Math.floor(limits.memoryBytes / PAGE_BYTES)),
  });
  const wasmModule = await engineCode();
  const silent = () => {};
  const engine = await newQuickJSWASMModuleFromVariant(
    newVariant(RELEASE_SYNC, {
      wasmModule,
      wasmMemory: memory,
      // A script that breaks the engine must not write to the service's log.
      emscriptenModule: { print: silent, printErr: silent } as object,
      log: silent,
    }),
  );
  const instance: Instance = {
    engine,
    onPressure: () => {},
    memoryBytes: () => memory.buffer.byteLength,
  };
  watchGrowth(memory, limits.memorySoftBytes, (pressure) => instance.onPressure(pressure));
  return instance;
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
