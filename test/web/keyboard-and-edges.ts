// What axe does not look for: a focus that nobody sees, and what can only be read by scrolling sideways.
import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import { patience } from '../setup/patience.ts';

/**
 * What the keyboard reaches without showing that it is there, one of a kind: everything is focused in turn, as the keyboard
 * does it, and has an outline, or a link that covers its row has one. The focus goes back to where it was.
 */
export async function unseenFocus(page: Page, within = 'body'): Promise<string[]> {
  // From a key on, the browser shows the focus that a script sets, too; this one does nothing in any page or dialog.
  await page.keyboard.press('Shift');
  return page.evaluate((selector) => {
    const before = document.activeElement;
    const stops = [...document.querySelectorAll(selector)].flatMap((root) => [
      ...root.querySelectorAll<HTMLElement>(
        'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]',
      ),
    ]);
    const unseen = new Map<string, string>();
    for (const stop of stops) {
      if (stop.tabIndex < 0 || stop.getClientRects().length === 0) continue;
      stop.focus({ preventScroll: true });
      if (document.activeElement !== stop || stop.closest('.cm-editor') !== null) continue;
      // The elements around a switch, a field for a file and a field with several values draw their outline.
      const around = [stop.nextElementSibling, stop.parentElement, stop.closest('.mantine-Input-input')];
      const drawn = [stop, ...around].filter((one) => one !== null);
      const hasOutline = (style: CSSStyleDeclaration) =>
        style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0;
      const seen =
        drawn.some((one) => hasOutline(getComputedStyle(one))) ||
        hasOutline(getComputedStyle(stop, '::after'));
      if (!seen) unseen.set(stop.className, stop.outerHTML.slice(0, 160));
    }
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    return [...unseen.values()];
  }, within);
}

/**
 * What is wider than its place, but for strips of tabs, drawn pictures and code, which are made to be moved along. A window that
 * has just become narrower is given some frames to find out.
 */
export function scrollsSideways(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const look = () =>
      [...document.querySelectorAll<HTMLElement>('body *')].filter(
        (box) =>
          box.scrollWidth > box.clientWidth + 1 &&
          ['auto', 'scroll'].includes(getComputedStyle(box).overflowX) &&
          box.closest('nav, pre, textarea, .cm-editor') === null &&
          box.querySelector(':scope > svg, :scope > * > svg, :scope > pre') === null,
      );
    for (let frames = 0; frames < 30 && look().length > 0; frames++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return look().map((box) => `${box.scrollWidth} in ${box.clientWidth}: ${box.outerHTML.slice(0, 160)}`);
  });
}

/** Escape gives the focus back to where the keyboard was; what it was opened by may be a choice of a menu that is gone. */
export async function focusComesBack(page: Page, floating: string): Promise<void> {
  // A list that a field has opened goes first.
  await vi.waitUntil(async () => {
    await page.keyboard.press('Escape');
    return (await page.locator(floating).count()) === 0;
  }, patience);
  await vi.waitUntil(() => page.evaluate(() => document.activeElement?.tagName !== 'BODY'), patience);
}
