/** The part of WebAssembly that the sandbox uses; it is in TypeScript's DOM library only. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: object);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  class Table {
    private constructor();
    /** Returns the length before the growth. */
    grow(entries: number, value: unknown): number;
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
    /** Pages of 64 KiB before the growth. Throws a RangeError past the maximum. */
    grow(pages: number): number;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
