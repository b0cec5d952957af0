/**
 * Reads codes out of pictures: ZXing as WebAssembly. It runs here because the page's policy refuses WebAssembly and stays so; this
 * worker's own policy allows that and hardly anything else.
 */
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasmAddress from 'zxing-wasm/reader/zxing_reader.wasm?url';

export type CodeAnswer = { text: string | null } | { error: string };

prepareZXingModule({ overrides: { locateFile: () => wasmAddress } });

self.onmessage = async ({ data: picture }: MessageEvent<ImageData>) => {
  self.postMessage(await read(picture));
};

async function read(picture: ImageData): Promise<CodeAnswer> {
  try {
    const [code] = await readBarcodes(picture, { tryHarder: true, maxNumberOfSymbols: 1 });
    return { text: code?.text ?? null };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
