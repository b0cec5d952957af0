/** The part of WebAssembly that open-instance.ts uses; it is in TypeScript's DOM library only. */
declare namespace WebAssembly {
  class Module {
    private constructor();
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
    /** Pages of 64 KiB before the growth. Throws a RangeError past the maximum. */
    grow(pages: number): number;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
