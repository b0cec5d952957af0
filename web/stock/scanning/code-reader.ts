/** What reads codes in the camera's picture: the browser itself where it can, else a library that is loaded when it is needed. */
import type { CodeAnswer } from './codes.wasm.worker.ts';

export interface CodeReader {
  /** What the code in view says; null where there is none. One picture at a time. */
  read: (video: HTMLVideoElement) => Promise<string | null>;
  close: () => void;
}

interface Detector {
  detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

/** A label that fills a fifth of the picture is read at this width; more only costs. */
const WIDTH_MAX = 960;

/** A browser gives the camera to secure origins alone. */
export function hasCamera(): boolean {
  return navigator.mediaDevices !== undefined;
}

export function openCodeReader(): CodeReader {
  const known = (globalThis as { BarcodeDetector?: new () => Detector }).BarcodeDetector;
  return known === undefined ? readerInWorker() : readerOfBrowser(new known());
}

function readerOfBrowser(detector: Detector): CodeReader {
  return {
    read: async (video) => (await detector.detect(video).catch(() => []))[0]?.rawValue ?? null,
    close: () => {},
  };
}

function readerInWorker(): CodeReader {
  const worker = new Worker(new URL('./codes.wasm.worker.ts', import.meta.url), { type: 'module' });
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return {
    read: (video) =>
      new Promise((resolve, reject) => {
        if (context === null || video.videoWidth === 0) {
          resolve(null);
          return;
        }
        const scale = Math.min(1, WIDTH_MAX / video.videoWidth);
        canvas.width = Math.round(video.videoWidth * scale);
        canvas.height = Math.round(video.videoHeight * scale);
        context.drawImage(video, 0, 0, canvas.width, canvas.height);
        const picture = context.getImageData(0, 0, canvas.width, canvas.height);
        worker.onmessage = ({ data }: MessageEvent<CodeAnswer>) =>
          'error' in data ? reject(new Error(data.error)) : resolve(data.text);
        worker.onerror = (event) =>
          reject(new Error(event.message || 'The reader of codes cannot be loaded.'));
        worker.postMessage(picture, [picture.data.buffer]);
      }),
    close: () => worker.terminate(),
  };
}
