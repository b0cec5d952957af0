// What people do with the app beside typing and clicking: a hand scanner, a clipboard, a camera.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Types into a picker of entities as a hand scanner does: the number, then Enter. */
export async function scan(page: Page, label: string, number: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await field.fill(number);
  await field.press('Enter');
  await expect.poll(() => field.inputValue()).toMatch(new RegExp(`^${number} `));
}

/** As a spreadsheet puts cells on the clipboard. */
export async function paste(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await field.focus();
  await field.evaluate((input, cells) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', cells);
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** A camera that sees a code, and a browser that cannot read it by itself. */
export function showCodeToCamera(rows: boolean[][]): void {
  delete (globalThis as { BarcodeDetector?: unknown }).BarcodeDetector;
  const canvas = document.createElement('canvas');
  canvas.width = 640;
  canvas.height = 480;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const side = Math.floor(400 / rows.length);
  setInterval(() => {
    context.fillStyle = '#ccc';
    context.fillRect(0, 0, 640, 480);
    for (const [y, row] of rows.entries()) {
      for (const [x, dark] of row.entries()) {
        context.fillStyle = dark ? '#000' : '#fff';
        context.fillRect(100 + x * side, 40 + y * side, side, side);
      }
    }
  }, 100);
  navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
}
